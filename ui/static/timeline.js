// The timeline's side in the browser: it opens over a page, with one listener for its own presses; nothing pressed here reaches the page below.
// Runs as `js_on_load` of the timeline's wire, with `element`, `trigger` and `watch` from Gradio. %PATH% is filled in by Python.
// Gradio may run this before the timeline's own place is in the document: it begins when that is there.
function begin(root) {
const one = (selector, from = root) => from.querySelector(selector);
const all = (selector, from = root) => [...from.querySelectorAll(selector)];
const inside = event => event.target instanceof Element && root.contains(event.target);
const shown = () => root.dataset.open !== undefined;

// --- keys: the same press keeps its id until it is answered
const kept = () => { try { return JSON.parse(sessionStorage.getItem('layover.timeline')) ?? {}; } catch { return {}; } };
const keep = value => sessionStorage.setItem('layover.timeline', JSON.stringify(value));
const uuid = () => crypto.randomUUID ? crypto.randomUUID() : '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, c =>
  (+c ^ crypto.getRandomValues(new Uint8Array(1))[0] & 15 >> +c / 4).toString(16));
function keyFor(scope) {
  const name = JSON.stringify(scope), keys = kept();
  keys[name] ??= uuid(); keep(keys);
  return keys[name];
}

// --- what every press tells: which thread and version, what is unfolded, what stands in the form
let wanted = null; // unfolded turns, until the tree is drawn
function fields(form) {
  const found = {};
  if (form) for (const [name, value] of new FormData(form)) found[name] = name in found ? [].concat(found[name], value) : value;
  return found;
}
function here() {
  const tree = one('[data-newest]')?.dataset ?? {}, step = one('[data-step]')?.dataset ?? {}, way = one('#tl-way')?.dataset ?? {};
  return {
    thread: root.dataset.open || tree.thread, version: step.step || tree.version || null, before: tree.before || null, newest: tree.newest || null,
    unfolded: wanted ?? (tree.unfolded ? JSON.parse(tree.unfolded) : []), with: step.with || null, head: step.head || null, xray: 'xray' in step ? '1' : null,
    settle: way.settle || null, branch: way.branch || null, was_offer: root.dataset.offer || null,
    seating: one('[data-seating]')?.dataset.seating || null, ...fields(one('#tl-correction')),
  };
}
const COMMANDS = new Set(['go', 'promote_go', 'cancel', 'remark', 'halt']);
function send(name, own, button) {
  if (name === 'reform' && !('active' in own || 'segment' in own)) stale();
  if (button) { button.setAttribute('aria-busy', 'true'); setTimeout(() => button.removeAttribute('aria-busy'), PATIENCE); }
  forming ? waiting.push(() => tell(name, own)) : tell(name, own);
}
function tell(name, own) {
  const body = { ...here(), ...own, do: name };
  if (name === 'reform') awaits(body.key = uuid());
  if (COMMANDS.has(name)) {
    if (name === 'remark') Object.assign(body, fields(one('#tl-remark')), { noted: one('#tl-remark').dataset.branch });
    else if (name.endsWith('go')) Object.assign(body, fields(one('#tl-way')), { newest: one('#tl-way').dataset.seen });
    body.key = keyFor(body);
  }
  if (name === 'promote') { body.settle = null; body.branch = own.branch; }
  if (name === 'look') { body.settle = null; body.branch = null; }
  if (!COMMANDS.has(name)) body.form = String(edition);
  root.dataset.offer = body['c.offer'] || '';
  focused = spot();
  trigger('ask', body);
}

// --- while the form is drawn anew, what is pressed waits: it has to tell the form as it will stand
const PATIENCE = 25000, waiting = [];
let forming = null, edition = 0; // the redrawing under way; how often the form was changed
function awaits(key) {
  forming = key;
  setTimeout(() => { if (forming === key) forget(); }, PATIENCE); // without its answer nothing that waits is right
}
const forget = () => { waiting.length = 0; forming = null; };
function formed(key) {
  if (!forming || key !== forming) return;
  forming = null;
  while (waiting.length && !forming) waiting.shift()();
}

// --- opening and shutting
let opener = null, focused = null, before = null, drawn = null, picked = false, paged = false;
function open(thread, version = null) {
  forget();
  opener = document.activeElement;
  root.dataset.open = thread; wanted = null; before = null;
  address(thread, version);
  counter = null; // counted first, drawn then: nothing that happens in between is missed
  poll().finally(() => { if (root.dataset.open === thread) trigger('ask', { do: 'open', thread, version, unfolded: [] }); });
}
function shut() {
  forget();
  delete root.dataset.open;
  address(null, null);
  if (opener?.isConnected) opener.focus();
}
function address(thread, version) {
  const url = new URL(location.href);
  thread ? url.searchParams.set('timeline', thread) : url.searchParams.delete('timeline');
  version ? url.searchParams.set('version', version) : url.searchParams.delete('version');
  if (url.href !== location.href) history.replaceState(null, '', url);
}

// --- presses
function press(button) {
  if (button.disabled || button.getAttribute('aria-disabled') === 'true' || button.getAttribute('aria-busy') === 'true') return;
  const { do: name, label, ...own } = button.dataset;
  switch (name) {
    case 'close': return shut();
    case 'open': return open(own.thread);
    case 'fold': return fold(own.command);
    case 'pick': picked = true; address(root.dataset.open, own.version); return send('pick', { version: own.version, seating: null });
    case 'older': paged = true; return send('older', { before: own.before || null });
    case 'reform': return send('reform', own);
    default: return send(name, own, button);
  }
}
function fold(command, opened) {
  const now = here().unfolded, is = now.includes(command);
  if (opened !== undefined && opened === is) return;
  wanted = is ? now.filter(c => c !== command) : [...now, command];
  send('fold', { unfolded: wanted });
}
const stop = event => event.stopPropagation();
window.addEventListener('click', event => {
  const link = event.target.closest?.('a[data-timeline]');
  if (link && !(event.metaKey || event.ctrlKey)) { event.preventDefault(); stop(event); return open(link.dataset.timeline); }
  if (!inside(event)) return;
  stop(event);
  const target = event.target.closest('[data-do]');
  if (target && target.type !== 'submit') press(target);
}, true);
window.addEventListener('submit', event => {
  if (!inside(event)) return;
  event.preventDefault(); stop(event);
  const button = event.submitter || one('[type=submit]', event.target);
  if (button) press(button);
}, true);
window.addEventListener('change', event => {
  if (!inside(event)) return;
  stop(event);
  const field = event.target.closest('[data-change]');
  if (field) send(field.dataset.change, { value: field.value });
  if (event.target.closest('#tl-correction')) stale();
}, true);
window.addEventListener('input', event => { if (inside(event)) { stop(event); if (event.target.closest('#tl-correction')) stale(); } }, true);

// A preview says what it says of the form as it was; another form needs another look.
function stale() { edition += 1; standing(); }
// Nor does it hold when the thread has moved on since, and nothing is done while something runs.
function standing() {
  const way = one('#tl-way'), tree = one('[data-newest]')?.dataset;
  if (!way || !tree) return;
  const note = one('.tl-stale'), moved = one('.tl-moved');
  if (note) note.hidden = way.dataset.form === String(edition);
  if (moved) moved.hidden = Number(tree.newest) <= Number(way.dataset.seen); // the tree may be the older of the two
  const off = 'off' in way.dataset || 'running' in tree || all('.tl-stale,.tl-moved').some(note => !note.hidden);
  for (const button of all('#tl-way [type=submit]')) button.disabled = off;
}
// An answer that was under way while another step was opened marks the old one: asked again, once both stand still.
let apart = null;
function together() {
  const differ = () => { const tree = one('[data-newest]')?.dataset.version, step = one('[data-step]')?.dataset.step; return tree && step && tree !== step; };
  clearTimeout(apart);
  if (differ()) apart = setTimeout(() => { if (differ() && shown() && !forming) trigger('changed', here()); }, 600);
}
new MutationObserver(() => { formed(one('[data-formed]')?.dataset.formed); standing(); together(); }).observe(root, { childList: true, subtree: true });

// --- keys on the keyboard: a tree as trees are walked
window.addEventListener('keydown', event => {
  if (!shown()) return;
  if (event.key === 'Escape') { stop(event); return shut(); }
  if (!inside(event)) { if (!event.target.closest?.('input,textarea,select')) stop(event); return; }
  stop(event);
  const target = event.target, row = target.closest('[role=treeitem]');
  if (target.matches('.seat[tabindex]')) return seatKey(event, target);
  if (!row || target !== row) return;
  const rows = all('[role=treeitem]'), at = rows.indexOf(row), to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  if (to !== undefined) { event.preventDefault(); move(rows, row, rows[Math.min(Math.max(to, 0), rows.length - 1)]); }
  else if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); press(row); }
  else if (event.key === 'ArrowRight' && row.dataset.command) fold(row.dataset.command, true);
  else if (event.key === 'ArrowLeft' && row.dataset.command) fold(row.dataset.command, false);
  else if (event.key === 'ArrowLeft' && row.ariaLevel === '2') { const up = rows.slice(0, at).reverse().find(r => r.ariaLevel === '1'); if (up) move(rows, row, up); }
}, true);
function move(rows, from, to) { from.tabIndex = -1; to.tabIndex = 0; to.focus(); to.scrollIntoView({ block: 'nearest' }); }
function seatKey(event, seat) {
  if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); return press(seat); }
  const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (!way) return;
  event.preventDefault();
  const from = seat.getBoundingClientRect();
  let best = null, least = Infinity;
  for (const other of all('.seat[tabindex]')) {
    const to = other.getBoundingClientRect(), x = to.x - from.x, y = to.y - from.y, along = x * way[0] + y * way[1], across = Math.abs(x * way[1]) + Math.abs(y * way[0]);
    if (other !== seat && along > 2 && along + across * 3 < least) { least = along + across * 3; best = other; }
  }
  if (best) { seat.tabIndex = -1; best.tabIndex = 0; best.focus(); }
}

const folds = new Map();
root.addEventListener('toggle', event => { if (event.target.dataset.keep) folds.set(event.target.dataset.keep, event.target.open); }, true);

// --- after every drawing: the focus where it was, the preview in sight, the keys that are done with
function spot() {
  const active = document.activeElement;
  if (!active || !root.contains(active)) return null;
  if (active.matches('[role=treeitem]')) return `[role=treeitem][data-version="${active.dataset.version}"][aria-level="${active.ariaLevel}"]`;
  if (active.dataset.seat) return `.seat[data-seat="${active.dataset.seat}"]`;
  return active.id ? `[id="${CSS.escape(active.id)}"]` : null;
}
function settle() {
  if (!shown()) return;
  wanted = null;
  if (focused && document.activeElement === document.body) { one(focused)?.focus({ preventScroll: true }); }
  focused = null;
  for (const fold of all('details[data-keep]')) if (folds.get(fold.dataset.keep) && !fold.open) fold.open = true;
  const way = one('#tl-way');
  if (way && way !== before) way.scrollIntoView({ block: 'start', behavior: 'smooth' });
  before = way;
  const step = one('[data-step]')?.dataset.step;
  if (step && step !== drawn) { one('#timeline-side').scrollTop = 0; one('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' }); }
  if (step && picked && matchMedia('(max-width:760px)').matches) one('#timeline-side').scrollIntoView({ block: 'start', behavior: 'smooth' });
  if (paged) { one('#timeline-tree').scrollTop = 0; const rows = all('[role=treeitem]'); if (rows.length) { for (const row of rows) row.tabIndex = -1; rows[0].tabIndex = 0; rows[0].focus(); } }
  picked = paged = false; drawn = step ?? drawn;
  standing();
  for (const map of all('.seats-scroll')) { const seat = one('.seat.mine', map); if (seat && !map.scrollTop) map.scrollTop = seat.getBoundingClientRect().top - map.getBoundingClientRect().top - map.clientHeight / 2; }
}
watch('value', () => {
  for (const answer of all('[data-settled],[data-refused]', element)) {
    const key = answer.dataset.settled ?? answer.dataset.refused, keys = kept();
    for (const name of Object.keys(keys)) if (keys[name] === key) delete keys[name];
    keep(keys);
    if (answer.dataset.refused) formed(key);
  }
  for (const busy of all('[aria-busy="true"]')) busy.removeAttribute('aria-busy');
  setTimeout(settle, 0);
});

// --- what changed elsewhere
const typing = () => !!document.activeElement?.closest('#tl-correction,#tl-way,#tl-remark');
let counter = null;
async function poll() {
  if (document.hidden || !shown() || forming) return;
  try {
    const answer = await fetch('%PATH%/me/changes', { headers: { accept: 'application/json' } });
    if (!answer.ok) return;
    const now = JSON.stringify(await answer.json());
    if (counter !== null && now !== counter) { focused = spot(); trigger('changed', { ...here(), typing: typing() ? '1' : null }); }
    counter = now;
  } catch { /* the page below says that it is offline */ }
}
setInterval(poll, 2000);
const asked = new URLSearchParams(location.search);
if (asked.get('timeline')) setTimeout(() => open(asked.get('timeline'), asked.get('version')), 0);
}
const place = () => document.getElementById('timeline');
if (place()) begin(place());
else {
  const seen = new MutationObserver(() => { if (place()) { seen.disconnect(); begin(place()); } });
  seen.observe(document.documentElement, { childList: true, subtree: true });
}
