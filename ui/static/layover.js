// The browser's side of a page: one delegated listener for all buttons, keys kept until they are answered, one poll for what changed.
// Runs as `js_on_load` of the page's wire, with `element`, `trigger` and `watch` from Gradio. %CHANGES% and %PANE% are filled in by Python.
const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const store = window.sessionStorage;
const stored = (name, otherwise) => { try { return JSON.parse(store.getItem('layover.' + name)) ?? otherwise; } catch { return otherwise; } };
const keep = (name, value) => value == null ? store.removeItem('layover.' + name) : store.setItem('layover.' + name, JSON.stringify(value));
const uuid = () => crypto.randomUUID ? crypto.randomUUID() : '10000000-1000-4000-8000-100000000000'.replace(/[018]/g, c =>
  (+c ^ crypto.getRandomValues(new Uint8Array(1))[0] & 15 >> +c / 4).toString(16));

// --- keys: the same press keeps its ids through double clicks and reloads, until it is answered
function idsFor(scope) {
  const name = JSON.stringify(scope), kept = stored('keys', {});
  kept[name] ??= { key: uuid(), message_id: uuid(), fresh: uuid() };
  keep('keys', kept);
  return kept[name];
}
function forget(key) {
  const kept = stored('keys', {});
  for (const name of Object.keys(kept)) if (kept[name].key === key) delete kept[name];
  keep('keys', kept);
}

// --- what every press tells: where one is, and what is picked but not sent
const parsed = text => { try { return JSON.parse(text); } catch { return null; } };
function drafts() {
  const found = stored('drafts', {});
  for (const card of all('[data-trip-card]')) found[card.dataset.tripCard] = parsed(card.dataset.draft);
  keep('drafts', found);
  return found;
}
const conversation = () => one('#chat .transcript')?.dataset.conversation || null;
function here() {
  const review = one('[data-review-card]');
  return {
    conversation: conversation(), search: one('[data-search]')?.value || '', archived: one('[data-archived]')?.dataset.archived || '',
    drafts: one('#trips') ? drafts() : {}, review: review?.dataset.reviewCard || null, editing: review ? parsed(review.dataset.editing) : null,
    digest: review?.dataset.digest || null, case: one('[data-case-card]')?.dataset.caseCard || null, filter: one('[data-filter]')?.dataset.filter || 'waiting',
    together: !!one('[data-together]'), talking: talking.size > 0,
  };
}

const talking = new Set(), closing = new Map();
const TALK = new Set(['say', 'edit', 'regenerate']);
function send(name, own, { keyed = false, button = null } = {}) {
  const now = here(), body = { ...now, ...own, do: name };
  if (keyed) {
    const about = own.trip ? now.drafts[own.trip] : null;
    Object.assign(body, idsFor([name, own, about, own.review ? [now.digest, now.editing] : null, name === 'say' ? now.conversation : null]));
    const folded = button?.closest('details[data-keep]');
    if (folded) closing.set(body.key, folded.dataset.keep);
    if (button) { button.setAttribute('aria-busy', 'true'); setTimeout(() => button.removeAttribute('aria-busy'), 10000); }
  }
  if (TALK.has(name)) {
    talking.add(body.key);
    setTimeout(() => talking.delete(body.key), 120000);
    if (name === 'say') keep('sent', { key: body.key, text: own.text, conversation: now.conversation });
    trigger('talk', body);
  } else trigger('act', body);
}

// --- presses
const LOCAL = {
  theme() {
    const dark = !document.body.classList.contains('dark');
    localStorage.setItem('layover-theme', dark ? 'dark' : 'light');
    shade();
  },
  pane(button) { document.body.dataset.pane = button.dataset.value; },
  write(button) { type(button.dataset.text); },
  show(button) {
    document.body.dataset.pane = 'trips';
    const card = one(`[data-trip-card="${CSS.escape(button.dataset.trip)}"]`);
    card?.scrollIntoView({ behavior: 'smooth', block: 'start' });
    card?.classList.add('shown'); setTimeout(() => card?.classList.remove('shown'), 1600);
  },
  async language(button) {
    await fetch(button.dataset.path + '/language', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ language: button.dataset.value }) });
    location.reload();
  },
  async sign_out(button) {
    store.clear();
    await fetch(button.dataset.path + '/sign-out', { method: 'POST' });
    location.assign(button.dataset.path);
  },
};
function shade() {
  const wish = localStorage.getItem('layover-theme') ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  document.body.classList.toggle('dark', wish === 'dark');
  document.documentElement.classList.toggle('dark', wish === 'dark');
}

function fields(form) {
  const found = {};
  if (form) for (const [name, value] of new FormData(form)) {
    if (!(name in found)) found[name] = value;
    else found[name] = [].concat(found[name], value);
  }
  return found;
}
function press(button, extra = {}) {
  if (button.disabled || button.getAttribute('aria-disabled') === 'true' || button.getAttribute('aria-busy') === 'true') return;
  const { do: name, key, label, armed, needs, ...own } = button.dataset;
  disarm();
  if (LOCAL[name]) return LOCAL[name](button);
  const form = button.closest('form');
  const said = fields(form);
  for (const each of (needs || '').split(' ').filter(Boolean)) if (!(said[each] || '').trim()) {
    const field = form.elements[each];
    field.setAttribute('aria-invalid', 'true'); field.focus();
    return;
  }
  if (name === 'seat' && button.closest('[data-trip]')) own.trip = button.closest('[data-trip]').dataset.trip;
  if (name === 'together') own.items = all('[data-tick]:checked').map(t => t.dataset.tick);
  if (name === 'approve_together') own.items = all('[data-item]').map(i => ({ review: i.dataset.item, digest: i.dataset.itemDigest }));
  if (name === 'open' && 'conversation' in own) { document.body.dataset.pane = 'chat'; }
  if (name === 'open' && ('review' in own || 'case' in own)) { document.body.dataset.pane = 'detail'; }
  if (name === 'pick' || name === 'stage' || name === 'choose') moving = { trip: own.trip, draft: one(`[data-trip-card="${CSS.escape(own.trip)}"]`)?.dataset.draft };
  if (name === 'new') document.body.dataset.pane = 'chat';
  send(name, { ...own, ...said, ...extra }, { keyed: key !== undefined, button });
}
document.addEventListener('click', event => {
  const summary = event.target.closest('details[data-keep] > summary');
  if (summary) { folds.set(summary.parentNode.dataset.keep, !summary.parentNode.open); return; }
  const target = event.target.closest('[data-do]');
  if (!target) return;
  if (target.tagName === 'A') { if (event.metaKey || event.ctrlKey) return; event.preventDefault(); }
  if (target.type === 'submit') return; // the form's own submit follows, after the browser has checked the fields
  press(target);
});
document.addEventListener('submit', event => {
  const form = event.target.closest('form');
  if (!form || !form.closest('gradio-app')) return;
  event.preventDefault();
  if (form.id === 'composer') return say();
  const button = event.submitter || one('[data-do]', form);
  if (button?.dataset.do) press(button);
});
document.addEventListener('change', event => {
  const field = event.target.closest('[data-change]');
  if (field) send(field.dataset.change, { ...('trip' in field.dataset ? { trip: field.dataset.trip } : {}), value: field.value });
});

// --- the box one writes in
const box = () => one('#composer textarea');
function grow() { const area = box(); if (area) { area.style.height = 'auto'; area.style.height = Math.min(area.scrollHeight, 190) + 'px'; area.form.classList.toggle('has-text', !!area.value.trim()); } }
function type(text) { const area = box(); if (area) { area.value = text; grow(); area.focus(); remember(); } }
const remember = () => keep('text.' + (conversation() || 'new'), box()?.value || null);
function say() {
  const area = box(), text = area.value.trim();
  if (text) {
    send('say', { text }, { keyed: true });
    keep('text.' + (conversation() || 'new'), null);
    area.value = ''; grow(); pinned = true;
  } else if (one('#chat [data-running]') || talking.size) send('stop', {}, { keyed: true });
}
let typing;
document.addEventListener('input', event => {
  const field = event.target;
  field.removeAttribute?.('aria-invalid');
  if (field === box()) { grow(); remember(); }
  if (field.matches?.('[data-search]')) { clearTimeout(typing); typing = setTimeout(() => trigger('changed', here()), 250); }
  if (field.matches?.('[data-native]')) { clearTimeout(typing); typing = setTimeout(() => trigger('spell', { native: field.value }), 350); }
  if (field.name === 'family_name' || field.name === 'given_name') field.dataset.own = field.value ? '1' : '';
});

// --- keys on the keyboard
function disarm() { const b = one('.armed'); if (b) { b.classList.remove('armed'); one('span', b).textContent = b.dataset.label; } }
function near(seat, key) {
  const from = seat.getBoundingClientRect(), [dx, dy] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null, least = Infinity;
  for (const other of all('.seat[tabindex]', seat.closest('svg'))) {
    const to = other.getBoundingClientRect(), x = to.x - from.x, y = to.y - from.y, along = x * dx + y * dy, across = Math.abs(x * dy) + Math.abs(y * dx);
    if (other !== seat && along > 2 && along + across * 3 < least) { least = along + across * 3; best = other; }
  }
  return best;
}
document.addEventListener('keydown', event => {
  const target = event.target;
  if (target === box() && event.key === 'Enter' && !event.shiftKey && !event.isComposing && event.keyCode !== 229) { event.preventDefault(); return say(); }
  const seat = target.closest?.('.seat[tabindex]');
  if (seat) {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); return press(seat); }
    if (event.key.startsWith('Arrow')) {
      event.preventDefault();
      const next = near(seat, event.key);
      if (next) { seat.setAttribute('tabindex', '-1'); next.setAttribute('tabindex', '0'); next.focus(); }
      return;
    }
  }
  if (target.closest?.('input,textarea,select,[contenteditable]') || event.metaKey || event.ctrlKey || event.altKey || !one('.inbox')) return;
  const approve = one('#approve');
  if (event.key === 'Enter' && approve?.classList.contains('armed')) { event.preventDefault(); return press(approve); }
  if (event.key !== 'Shift') disarm();
  const rows = all('.reviews [data-do="open"]'), at = rows.findIndex(r => r.getAttribute('aria-current'));
  if (event.key === 'j') rows[at + 1]?.click();
  if (event.key === 'k') rows[Math.max(at - 1, 0)]?.click();
  if (event.key === 'a' && approve && !approve.disabled) { approve.classList.add('armed'); one('span', approve).textContent = approve.dataset.armed; approve.focus(); }
  if (event.key === 'e') { event.preventDefault(); (one('#edit-offer') || one('.seat[tabindex="0"]'))?.focus(); }
  if (event.key === 'r') { event.preventDefault(); one('#reason')?.focus(); }
});
document.addEventListener('focusout', event => { if (event.target.classList?.contains('armed')) disarm(); });

// --- after every drawing: folds as the reader left them, the newest message in sight, the address that leads back here
const folds = new Map(), seen = new WeakSet();
let pinned = true, shownReview = null, moving = null;
document.addEventListener('scroll', event => {
  const chat = event.target;
  if (chat.id === 'chat') pinned = chat.scrollHeight - chat.scrollTop - chat.clientHeight < 120;
}, true);
// A notice is changed in place, and what has faded once would stay faded: each new one is shown from its beginning.
let told = null;
function tell() {
  const toast = one('.toast');
  if (!toast || toast.dataset.n === told) return;
  told = toast.dataset.n;
  for (const showing of toast.getAnimations()) { showing.cancel(); showing.play(); }
}
function settle() {
  tell();
  for (const fold of all('details[data-keep]')) {
    const wish = folds.get(fold.dataset.keep);
    if (wish !== undefined && fold.open !== wish) fold.open = wish;
  }
  if (moving) { // another step of a trip's card begins at its top
    const card = one(`[data-trip-card="${CSS.escape(moving.trip)}"]`);
    if (card && card.dataset.draft !== moving.draft) { card.scrollIntoView({ block: 'start' }); moving = null; }
  }
  received();
  if (booted && one('#trips')) drafts();
  const chat = one('#chat');
  if (chat && pinned) chat.scrollTop = chat.scrollHeight;
  for (const map of all('.seats-scroll')) if (!seen.has(map)) {
    seen.add(map);
    const seat = one('.seat.mine', map);
    if (seat) map.scrollTop = seat.getBoundingClientRect().top - map.getBoundingClientRect().top - map.clientHeight / 2;
  }
  const spoken = one('[data-language]')?.dataset.language;
  if (spoken) document.documentElement.lang = spoken === 'zh' ? 'zh-CN' : 'en';
  const card = one('[data-review-card],[data-case-card]'), of = card?.dataset, open = of && (of.reviewCard ?? `${of.caseCard} ${of.said}`);
  if (card && open !== shownReview) { // no word typed for one review is ever left standing under another
    if (shownReview !== null) { one('.decision,.case form')?.reset(); if (!of.caseCard || !shownReview.startsWith(of.caseCard)) one('#detail').scrollTop = 0; }
    shownReview = open;
  }
  const id = conversation() || of?.reviewCard || of?.caseCard, name = of?.caseCard ? 'case' : card ? 'review' : 'conversation';
  const url = new URL(location.href), other = { case: 'review', review: 'case' }[name];
  if (other && url.searchParams.has(other)) { url.searchParams.delete(other); history.replaceState(null, '', url); }
  if (id && url.searchParams.get(name) !== id) { url.searchParams.set(name, id); history.replaceState(null, '', url); refill(); }
  if (!id && booted && url.searchParams.has(name)) { url.searchParams.delete(name); history.replaceState(null, '', url); refill(); }
}
function received() { // the transcript shows it: the server has it, whatever became of its answer
  const sent = stored('sent', null);
  if (sent && !talking.has(sent.key) && one(`[data-command="${sent.key}"]`)) { forget(sent.key); keep('sent', null); }
}
let lastFilled = null;
function refill() {
  const name = 'text.' + (conversation() || 'new');
  if (!box() || name === lastFilled) return;
  lastFilled = name;
  const sent = stored('sent', null);
  const lost = sent && sent.conversation === conversation() && !talking.has(sent.key) && !one(`[data-command="${sent.key}"]`);
  box().value = stored(name, '') || (lost ? sent.text : '') || '';
  grow();
}

// --- answers: which keys are done with
let booted = false;
watch('value', () => {
  if (!booted && one('#topbar .bar')) { booted = true; document.body.classList.add('booted'); lastFilled = null; setTimeout(refill, 50); }
  for (const answer of all('[data-settled],[data-refused]', element)) {
    const key = answer.dataset.settled ?? answer.dataset.refused;
    forget(key); talking.delete(key);
    const sent = stored('sent', null);
    if (sent?.key === key) { keep('sent', null); if ('refused' in answer.dataset && box() && !box().value) type(sent.text); }
    if ('settled' in answer.dataset && closing.has(key)) {
      folds.set(closing.get(key), false);
      one(`details[data-keep="${CSS.escape(closing.get(key))}"] form`)?.reset();
    }
    closing.delete(key);
  }
  for (const busy of all('[aria-busy="true"][data-do]')) busy.removeAttribute('aria-busy');
  const spelt = one('[data-spelt]', element);
  if (spelt) for (const input of all('[data-native]')) if (input.value === spelt.dataset.native) {
    const form = input.form, note = one('[data-suggestion]', form);
    for (const part of ['family', 'given']) {
      const field = form.elements[part + '_name'];
      if (field.dataset.own !== '1') field.value = spelt.dataset[part] || '';
    }
    note.textContent = spelt.dataset.text; note.hidden = !spelt.dataset.text;
  }
  settle();
});

// --- what changed elsewhere
let counter = null, offline = false;
async function poll() {
  if (document.hidden && counter !== null) return;
  try {
    const answer = await fetch('%CHANGES%', { headers: { accept: 'application/json' } });
    if (answer.status === 401 || answer.status === 403) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    const now = JSON.stringify(await answer.json());
    if ((counter !== null && now !== counter) || offline) trigger('changed', here());
    counter = now; offline = false;
  } catch { offline = true; }
  document.body.classList.toggle('offline', offline);
}

shade();
document.body.dataset.pane ??= '%PANE%';
new MutationObserver(settle).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ['open', 'data-conversation', 'data-review-card', 'data-draft', 'data-n'] });
const asked = new URLSearchParams(location.search);
poll().finally(() => { // counted first, drawn then: nothing that happens in between is missed
  trigger('boot', { ...here(), conversation: asked.get('conversation'), review: asked.get('review'), case: asked.get('case'), drafts: stored('drafts', {}) });
  setInterval(poll, 2000);
});
document.addEventListener('visibilitychange', poll);
setInterval(() => { if (!document.hidden && one('[data-deadline]')) trigger('changed', here()); }, 30000);
