// Follows the story by server-sent events. Everything is set as text; nothing of a note is ever taken for HTML.

const byId = (id) => document.getElementById(id);
let chapter = null;
/** The document that the reader chose; null follows the story. */
let chosen = null;
let stepsBefore = 0;

/** An element with properties and children; a child that is text stays text. */
function element(tag, properties = {}, children = []) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === 'data' || name === 'aria') {
      for (const [key, text] of Object.entries(value)) made.setAttribute(`${name}-${key}`, text);
    } else made[name] = value;
  }
  made.append(...children);
  return made;
}

const markClass = { '+': 'added', '-': 'removed', ' ': '', '⋯': 'gap' };

function line({ mark, text }) {
  const [, before = text, id = ''] = /^(.*?)( \^evt-[0-9a-f]{16})?$/.exec(text) ?? [];
  const parts = id === '' ? [before] : [before, element('span', { className: 'id' }, [id])];
  return element('div', { className: markClass[mark], data: { mark } }, parts);
}

const lines = (all) => element('div', { className: 'lines' }, all.map(line));

/** A note by its name, a record of the suite CRM by its module and name. */
function shortName({ kind, name }) {
  return kind === 'note' ? name.replace(/^.*\//, '').replace(/\.md$/, '') : name.replace(/^[^›]*›\s*/, '');
}

function change({ name, how, lines: changed }) {
  const open = element('button', { className: 'link', type: 'button', onclick: () => choose(name) }, [name]);
  const label = how === 'changed' ? [] : [element('span', { className: 'how' }, [how])];
  return element('div', { className: 'change' }, [open, ...label, lines(changed)]);
}

function step({ number, place, what, remark, deliveries, changes }, isLatest) {
  const webhook = deliveries.flatMap(({ event, status }) => [
    element('code', {}, [`${event} → ${status ?? 'no answer'}`]),
    ' ',
  ]);
  return element('li', { className: isLatest ? 'panel step latest' : 'panel step' }, [
    element('div', { className: 'place' }, [element('span', {}, [`${number} · `]), place]),
    element('h3', {}, [what]),
    ...(webhook.length === 0 ? [] : [element('p', { className: 'note webhook' }, ['webhook ', ...webhook])]),
    ...changes.map(change),
    ...(remark === null ? [] : [element('p', { className: 'note' }, [remark])]),
  ]);
}

/** The one that was chosen and is still there; else what the story changed last. */
function current() {
  const there = new Map(chapter.documents.map((shown) => [shown.name, shown]));
  const last = chapter.story.findLast(({ changes }) => changes.some(({ name }) => there.has(name)));
  const name = there.has(chosen) ? chosen : last?.changes.find((each) => there.has(each.name))?.name;
  return there.get(name) ?? null;
}

/** Lines that came with the last change of a document. */
function freshLines(name) {
  const changes = chapter.story.flatMap((each) => each.changes);
  const last = changes.findLast((each) => each.name === name);
  return new Set((last?.lines ?? []).filter(({ mark }) => mark === '+').map(({ text }) => text));
}

function showNote() {
  const shown = current();
  if (shown === null) return;
  const tabs = chapter.documents.map((each) =>
    element(
      'button',
      { type: 'button', title: each.name, aria: { pressed: String(each === shown) }, onclick: () => choose(each.name) },
      [shortName(each)],
    ),
  );
  byId('names').replaceChildren(...tabs);
  const fresh = freshLines(shown.name);
  const all = shown.text.replace(/\n$/, '').split('\n');
  const marked = all.map((text) => ({ mark: text !== '' && fresh.has(text) ? '+' : ' ', text }));
  byId('note').replaceChildren(element('h3', {}, [shown.name]), lines(marked));
  byId('note').querySelector('.lines .added')?.scrollIntoView({ block: 'nearest' });
}

/** Choosing the one that is shown lets go again. */
function choose(name) {
  chosen = chosen === name ? null : name;
  showNote();
}

function showStory() {
  const { story: all, steps, isOver } = chapter;
  const story = byId('story');
  // The newest is on top: the eye need not follow.
  story.replaceChildren(...all.toReversed().map((each, at) => step(each, at === 0)));
  byId('progress').max = steps;
  byId('progress').value = Math.min(all.length, steps);
  byId('status').textContent = isOver
    ? 'The story is over; changes are still shown'
    : `Step ${Math.min(all.length, steps)} of ${steps}`;
  stepsBefore = all.length;
}

function showAddresses() {
  const { home, email, password, mcp, deliveries, tools } = chapter.addresses;
  const link = (href) => element('a', { href, target: '_blank', rel: 'noopener noreferrer' }, [href]);
  const code = (text) => element('code', {}, [text]);
  const rows = [
    ['Server', [link(home)]],
    ['Sign in', [code(email), ' ', code(password)]],
    ['Deliveries', [link(deliveries)]],
    ['MCP', [code(mcp), ` (${tools} tools)`]],
    ['Claude Code', [code(`claude mcp add --transport http portolan-demo ${mcp}`)]],
  ];
  const list = rows.flatMap(([name, content]) => [element('dt', {}, [name]), element('dd', {}, content)]);
  byId('addresses').replaceChildren(element('dl', {}, list));
}

const events = new EventSource('/events');
events.addEventListener('message', ({ data }) => {
  const isFirst = chapter === null;
  chapter = JSON.parse(data);
  if (isFirst) showAddresses();
  if (chapter.story.length !== stepsBefore) chosen = null;
  showStory();
  showNote();
});
events.addEventListener('error', () => {
  byId('status').textContent = 'The demo has ended';
});
