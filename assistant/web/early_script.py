"""The script that runs before anything else of a page: the reader's language and theme, which Gradio reads only once."""

from __future__ import annotations

import json
from functools import cache

from ..domain.understanding import Language

TAGS: dict[Language, str] = {"zh": "zh-CN", "en": "en-GB"}
THEME_KEY = "layover-theme"  # localStorage: "dark", "light", or nothing: as the system is

SCRIPT = """<script>(function(){
var language=%s;
if(language){
Object.defineProperty(navigator,'language',{configurable:true,get:function(){return language}});
Object.defineProperty(navigator,'languages',{configurable:true,get:function(){return [language]}});
document.documentElement.lang=language}
var theme=null;try{theme=localStorage.getItem(%s)}catch(e){}
if(theme==='dark'||theme==='light'){
var asked=window.matchMedia.bind(window);
window.matchMedia=function(query){
var found=/prefers-color-scheme:\\s*(dark|light)/.exec(query);
if(!found)return asked(query);
var none=function(){};
return {matches:found[1]===theme,media:query,onchange:null,addListener:none,removeListener:none,
addEventListener:none,removeEventListener:none,dispatchEvent:function(){return false}}};
document.documentElement.style.colorScheme=theme}
})()</script>"""


@cache
def early_script(language: Language | None) -> bytes:
    """Without a language the browser's own counts."""
    return (SCRIPT % (json.dumps(TAGS[language] if language else None), json.dumps(THEME_KEY))).encode()
