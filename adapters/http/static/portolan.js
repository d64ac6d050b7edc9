// Progressive enhancement of the pages: without this script, everything works with full page loads.

// Adds a copy button to each copyable text. Where the browser offers no clipboard (plain http on another machine), a
// click selects the whole text.
function addCopyButtons(root) {
  if (navigator.clipboard === undefined) return;
  for (const place of root.querySelectorAll('.copy, .copy-short')) place.append(copyButtonFor(place));
}

function copyButtonFor(place) {
  const text = place.querySelector('code').textContent;
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'button quiet';
  button.textContent = 'Copy';
  const status = document.createElement('span');
  status.setAttribute('role', 'status');
  const show = (what) => () => {
    status.textContent = what;
  };
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(text).then(show('Copied'), show('Select the text and copy it'));
  });
  const bar = document.createElement('p');
  bar.append(button, status);
  return bar;
}

// Submits a form marked `data-inline` without leaving the page, and replaces the element around it with the response's
// element of the same id. When the response has no such element, the form is submitted normally, as a full page.
async function sendInline(event) {
  const form = event.target;
  const part = form.closest('[data-part]');
  if (part === null || !form.hasAttribute('data-inline')) return;
  event.preventDefault();
  const fields = new URLSearchParams(new FormData(form, event.submitter));
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-busy', 'true');
  const fresh = await partAfter(form, fields, part.id);
  if (fresh === null) {
    form.removeAttribute('data-inline');
    form.requestSubmit(event.submitter);
    return;
  }
  part.replaceWith(fresh);
  addCopyButtons(fresh);
  updateAges();
  const outcome = fresh.querySelector('.notice') ?? fresh.querySelector('h2');
  outcome.tabIndex = -1;
  outcome.focus();
}

async function partAfter(form, fields, id) {
  try {
    const answer = await fetch(form.action, { method: 'POST', body: fields, headers: { accept: 'text/html' } });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const part = page.getElementById(id);
    return part === null ? null : document.importNode(part, true);
  } catch {
    return null;
  }
}

// Keeps displayed ages ("23 s ago") up to date, by the time since the page loaded, as the local clock may be wrong. The
// server formats ages in the same way.
const begun = new WeakMap();

function updateAges() {
  for (const time of document.querySelectorAll('time[data-age]')) {
    if (!begun.has(time)) begun.set(time, performance.now() - Number(time.dataset.age));
    time.textContent = `${durationText(performance.now() - begun.get(time))} ago`;
  }
}

function durationText(ms) {
  const seconds = Math.round(ms / 1000);
  if (seconds < 90) return `${seconds} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

// For a user who has chosen no time zone: sends that of the browser, once, and shows the times of this page in it.
async function adoptTimeZone() {
  if (document.body.dataset.zone !== 'unset') return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if (!zone || !(await sendTimeZone(zone))) return;
  const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' };
  // Swedish writes 2026-11-22 19:05, as the server does.
  const text = new Intl.DateTimeFormat('sv-SE', { ...parts, timeZone: zone });
  const exact = new Intl.DateTimeFormat('sv-SE', { ...parts, second: '2-digit', timeZone: zone });
  for (const time of document.querySelectorAll('time')) {
    const at = new Date(time.dateTime);
    time.title = `${exact.format(at)} ${zone}`;
    if (time.dataset.age === undefined) time.textContent = text.format(at);
  }
}

// Fills in the form of the account page, which has the token that the server asks for.
async function sendTimeZone(zone) {
  try {
    const page = new DOMParser().parseFromString(await (await fetch('/account')).text(), 'text/html');
    const form = page.querySelector('form[action="/account/time-zone"]');
    if (form === null) return false;
    const fields = new URLSearchParams(new FormData(form));
    fields.set('zone', zone);
    fields.set('suggested', '1');
    return (await fetch('/account/time-zone', { method: 'POST', body: fields })).ok;
  } catch {
    return false;
  }
}

addCopyButtons(document);
void adoptTimeZone();
updateAges();
setInterval(updateAges, 10_000);
document.addEventListener('submit', (event) => void sendInline(event));
