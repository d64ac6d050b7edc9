/** A request to a vault, as it goes over the wire. */
export type VaultRequestLine = Readonly<{
  method: string;
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}>;

const folder = '/vault/Portolan%20comparison';
const markdown = { 'Content-Type': 'text/markdown' };
const json = { 'Content-Type': 'application/json' };
const family = 'application/vnd.olrapi.';

const note = [
  '---',
  'status: open',
  'tags: [alpha, beta]',
  'count: 3',
  '---',
  '# Deal',
  '',
  'Intro with a [[Second]] link.',
  '',
  '## History',
  '',
  'first entry',
  '',
  '## Table',
  '',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
  '',
  '^grid',
  '',
  'A block of text ^block1',
  '',
].join('\n');

const get = (path: string, headers: Readonly<Record<string, string>> = {}): VaultRequestLine => ({
  method: 'GET',
  path,
  headers,
});
const put = (path: string, body: string, headers: Readonly<Record<string, string>> = markdown): VaultRequestLine => ({
  method: 'PUT',
  path,
  headers,
  body,
});
const post = (path: string, body: string, headers: Readonly<Record<string, string>> = markdown): VaultRequestLine => ({
  method: 'POST',
  path,
  headers,
  body,
});
const remove = (path: string): VaultRequestLine => ({ method: 'DELETE', path });

function patch(
  operation: string,
  type: string,
  target: string,
  body: string,
  more: Readonly<Record<string, string>> = markdown,
): VaultRequestLine {
  const headers = {
    'Markdown-Patch-Version': '1',
    Operation: operation,
    'Target-Type': type,
    Target: encodeURIComponent(target),
    ...more,
  };
  return { method: 'PATCH', path: `${folder}/Deal.md`, headers, body };
}

const made = { ...markdown, 'Create-Target-If-Missing': 'true' };
const once = { ...markdown, 'Reject-If-Content-Preexists': 'true' };

/**
 * What two vaults are asked, in this order: each writes only below "Portolan comparison" and tidies up after itself. The media
 * types are those of the notes app, which the embedded vault understands too.
 */
export const vaultRequests: readonly VaultRequestLine[] = [
  get('/'),
  get('/nowhere'),
  put(`${folder}/Deal.md`, note),
  put(`${folder}/Second.md`, 'second\n'),
  put(`${folder}/deep/er/%F0%9F%98%80%20%23%20%25.md`, 'odd name\n'),
  get(`${folder}/`),
  get(`${folder}/deep/`),
  get(`${folder}/none/`),
  get(`${folder}/Deal.md`),
  get(`${folder}/Deal.md`, { Accept: 'text/markdown' }),
  get(`${folder}/Deal.md`, { Accept: `${family}note+json` }),
  get(`${folder}/Deal.md`, { Accept: `${family}note+json, */*` }),
  get(`${folder}/Deal.md`, { Accept: `${family}document-map+json`, 'Markdown-Patch-Version': '1' }),
  get(`${folder}/deep/er/%F0%9F%98%80%20%23%20%25.md`),
  get(`${folder}/None.md`),
  get(`${folder}/None.md`, { Accept: `${family}note+json` }),
  patch('append', 'heading', 'Deal::History', 'second entry\n'),
  patch('append', 'heading', 'Deal::History', 'second entry\n', once),
  patch('prepend', 'heading', 'Deal::History', 'zeroth entry\n'),
  patch('replace', 'heading', 'Deal::History', 'only entry\n'),
  patch('append', 'heading', 'History', 'bare heading\n'),
  patch('append', 'heading', 'Deal::New::Deeper', 'made\n', made),
  patch('append', 'block', 'block1', ' and more'),
  patch('append', 'block', 'none', 'x'),
  patch('append', 'block', 'grid', '[["3","4"]]', json),
  patch('append', 'block', 'grid', '[["3"]]', json),
  patch('replace', 'frontmatter', 'status', '"won"', json),
  patch('replace', 'frontmatter', 'status', 'plain text'),
  patch('replace', 'frontmatter', 'none', '1', json),
  patch('replace', 'frontmatter', 'new', '{"a":[1,null]}', { ...json, 'Create-Target-If-Missing': 'true' }),
  patch('append', 'frontmatter', 'tags', '["gamma"]', json),
  patch('append', 'frontmatter', 'count', '[1]', json),
  patch('replace', 'frontmatter', 'status', '{broken', json),
  patch('turn', 'heading', 'Deal', 'x'),
  patch('append', 'page', 'Deal', 'x'),
  patch('append', 'heading', 'Deal', 'x', { 'Content-Type': 'text/markdown; charset=utf-8' }),
  {
    method: 'PATCH',
    path: `${folder}/Deal.md`,
    headers: { ...markdown, 'Markdown-Patch-Version': '1', Operation: 'append', Target: 'Deal' },
    body: 'x',
  },
  {
    method: 'PATCH',
    path: `${folder}/Deal.md`,
    headers: { ...markdown, 'Markdown-Patch-Version': '1', Operation: 'append', 'Target-Type': 'heading' },
    body: 'x',
  },
  {
    method: 'PATCH',
    path: `${folder}/Deal.md`,
    headers: { ...markdown, 'Markdown-Patch-Version': '1', 'Target-Type': 'heading', Target: 'Deal' },
    body: 'x',
  },
  { ...patch('append', 'heading', 'Deal', 'x'), path: `${folder}/None.md` },
  get(`${folder}/Deal.md`),
  post(`${folder}/Second.md`, 'third\n'),
  post(`${folder}/Made.md`, 'made by appending\n'),
  post(`${folder}/Made.md`, 'x', { 'Content-Type': 'application/octet-stream' }),
  get(`${folder}/Second.md`),
  put(`${folder}/`, 'x'),
  post(`${folder}/`, 'x'),
  remove(`${folder}/`),
  put(`${folder}/data.json`, '{"a":1}', json),
  get(`${folder}/data.json`),
  post('/search/simple/?query=zeroth-no-such-text', ''),
  post('/search/simple/?query=made%20by%20appending&contextLength=5', ''),
  post('/search/simple/', ''),
  post('/search/', '{"==":[{"var":"path"},"Portolan comparison/Second.md"]}', {
    'Content-Type': `${family}jsonlogic+json`,
  }),
  post('/search/', '{"glob":["Portolan comparison/*",{"var":"path"}]}', { 'Content-Type': `${family}jsonlogic+json` }),
  post('/search/', '{broken', { 'Content-Type': `${family}jsonlogic+json` }),
  post('/search/', '{"no_such_operation":[1]}', { 'Content-Type': `${family}jsonlogic+json` }),
  post('/search/', '{}', { 'Content-Type': 'text/plain' }),
  post('/search/', 'TABLE a', { 'Content-Type': `${family}dataview.dql+txt` }),
  get('/commands/'),
  post('/commands/no-such-command/', ''),
  get('/tags/'),
  get('/periodic/hourly/'),
  post(`/open/Portolan%20comparison/Second.md`, ''),
  get('/active/', { Accept: `${family}note+json` }),
  remove(`${folder}/None.md`),
  remove(`${folder}/Deal.md`),
  remove(`${folder}/Deal.md`),
  remove(`${folder}/Second.md`),
  remove(`${folder}/Made.md`),
  remove(`${folder}/data.json`),
  remove(`${folder}/deep/er/%F0%9F%98%80%20%23%20%25.md`),
];
