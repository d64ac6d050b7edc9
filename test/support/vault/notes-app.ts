import { z } from 'zod';
import type { TestVault } from '#test/support/vault/embedded-vault-server.ts';
import { type Answered, openVaultBehind, type Passing, withoutVersion } from '#test/support/vault/vault-front.ts';

/** What the server was sent, in order. */
export type Sent = Readonly<{ method: string; path: string; headers: Readonly<Record<string, string>>; body: string }>;

const instruction = z.object({
  targetType: z.string(),
  target: z.union([z.string(), z.array(z.string())]),
  operation: z.string(),
  content: z.string().optional(),
  value: z.unknown().optional(),
  createTargetIfMissing: z.boolean().optional(),
  rejectIfContentPreexists: z.boolean().optional(),
  ifMatch: z.string().optional(),
});

const refusal = (status: number, errorCode: number): Answered => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ message: 'Refused', errorCode }),
});

/**
 * The embedded vault as a release of the notes app's server would answer: where its published interface files and its source say
 * that the release departs. `release` may be changed while it runs, as an update of the notes app does.
 */
export async function openNotesApp(release: string) {
  const app = { release, sent: [] as Sent[] };
  const major = () => Number.parseInt(app.release, 10);
  const vault: TestVault = await openVaultBehind(async (request, pass) => {
    const { method, path, headers, body } = request;
    app.sent.push({ method, path, headers, body: body.toString() });
    if (path === '/') {
      const versions = { obsidian: '1.12.0', self: app.release };
      return { status: 200, headers: {}, body: JSON.stringify({ service: 'Obsidian Local REST API', versions }) };
    }
    const hasPeriodic = major() < 5 || app.release === '5.0.0' || app.release === '5.0.1';
    if (path.startsWith('/periodic/') && !hasPeriodic) return refusal(404, 40400);
    // A write to the note of another day waits for today's for ever.
    if (/^\/periodic\/\w+\/\d/.test(path) && method !== 'GET') return null;
    if (headers['content-type']?.includes('dql') === true && major() >= 4) return refusal(400, 40012);
    const given = await (method === 'PATCH' ? patched(request, pass, major()) : pass(ofVersions(request, major())));
    return given === null ? null : ofRelease(given, major());
  });
  return { vault, app };
}

/** A request without a condition to a release that knows none. */
function ofVersions(request: Passing, major: number): Passing {
  if (major >= 5) return request;
  const { 'if-match': _, ...headers } = request.headers;
  return { ...request, headers };
}

/** An ETag for the cache only; versions as members since release 5. */
function ofRelease(answer: NonNullable<Answered>, major: number): Answered {
  const { etag, ...others } = answer.headers;
  const headers = etag === undefined ? others : { ...others, etag: `W/${etag}` };
  const isNote = headers['content-type']?.endsWith('note+json') === true;
  return { ...answer, headers, body: isNote && major < 5 ? withoutVersion(answer.body) : answer.body };
}

type Pass = (request: Passing) => Promise<Answered>;

async function patched(request: Passing, pass: Pass, major: number): Promise<Answered> {
  const { headers } = request;
  const version = headers['markdown-patch-version'];
  if (major >= 6 && version === '1') return refusal(400, 40084);
  if (major >= 5 && version === undefined && headers['target-type'] !== undefined) return refusal(400, 40084);
  if (headers['target-type'] === undefined) {
    const answer = await pass(asHeaders(request));
    return answer?.body.includes('content-already-preexists') === true ? refusal(409, 40981) : answer;
  }
  const isApplied = headers['apply-if-content-preexists'] === 'true' || major >= 4;
  const { 'apply-if-content-preexists': _, ...others } = headers;
  return pass({ ...request, headers: isApplied ? others : { ...others, 'reject-if-content-preexists': 'true' } });
}

/** An instruction of format 2 in the headers of format 1, which the embedded vault speaks. */
function asHeaders(request: Passing): Passing {
  const said = instruction.strict().parse(JSON.parse(request.body.toString()));
  const target = Array.isArray(said.target) ? said.target.join('::') : said.target;
  const { authorization = '' } = request.headers;
  const { content, ifMatch } = said;
  const condition = ifMatch === undefined ? {} : { 'if-match': `"${ifMatch}"` };
  return {
    ...request,
    headers: {
      authorization,
      ...condition,
      'markdown-patch-version': '1',
      operation: said.operation,
      'target-type': said.targetType,
      target: encodeURIComponent(target),
      'create-target-if-missing': String(said.createTargetIfMissing ?? false),
      'reject-if-content-preexists': String(said.rejectIfContentPreexists ?? false),
      'content-type': content !== undefined ? 'text/markdown' : 'application/json',
    },
    body: Buffer.from(content ?? JSON.stringify(said.value)),
  };
}
