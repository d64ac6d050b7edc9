import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startFixtureCluster, startFixtureServer } from '#test/conformance/fixture-server.ts';
import { freePort } from '#test/kit/free-port.ts';
import { allow, registered } from '#test/support/authorization/auth-flow.ts';
import { fetchedCommand } from '#test/support/network/fetched-command.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';

/** The suite, by its exact version. */
export const suitePackage = '@modelcontextprotocol/conformance@0.2.0-alpha.12';

/** The suite's file, or why it cannot be run here. */
export const suite = await fetchedCommand(suitePackage, 'conformance');

/** What one scenario came to; `isRequired` is false for what the revision does not ask for. */
export type Scenario = Readonly<{ name: string; passed: number; failed: number; isRequired: boolean }>;

/** What the scenarios of some requirements came to. */
export type Report = Readonly<{ requirements: string; scenarios: readonly Scenario[] }>;

/** Runs all that we hold ourselves to, one after the other: they share the machine, and some scenarios take the time. */
export async function runSuite(): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const revision of ['2025-11-25', '2026-07-28']) reports.push(await runRevision(revision));
  await using server = await openWholeServer({ OAUTH_METADATA: 'on' });
  reports.push(await runAuthorization(server, 'authorization, public client'));
  reports.push(await runAuthorization(server, 'authorization, client with a secret'));
  return reports;
}

/** Runs the scenarios of both revisions against three servers behind a proxy that gives each request to the next. */
export async function runSuiteOnCluster(postgresUrl: string): Promise<readonly Report[]> {
  const reports: Report[] = [];
  for (const revision of ['2025-11-25', '2026-07-28']) {
    reports.push(await runRevision(revision, () => startFixtureCluster(postgresUrl)));
  }
  return reports;
}

/** The suite's requirements of a revision, against a server of our own. */
async function runRevision(
  revision: string,
  start: () => Promise<Readonly<{ url: string; close(): Promise<void> }>> = startFixtureServer,
): Promise<Report> {
  const server = await start();
  const scenarios = await run(['server', '--url', server.url, '--requirements', revision]);
  await server.close();
  return { requirements: revision, scenarios };
}

/** The suite's part for authorization servers, against the whole server; the person at the browser is played by posting the forms. */
async function runAuthorization(server: WholeServer, requirements: string): Promise<Report> {
  const port = await freePort();
  const client = await registered(server, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const known = ['--url', server.baseUrl, '--resource', `${server.baseUrl}/message`, '--client-id', client.client_id];
  const secret = requirements.includes('secret') ? ['--client-secret', client.client_secret] : [];
  const watch = (child: ChildProcess) => visitWhenAsked(server, child);
  const scenarios = await run(['authorization', ...known, ...secret, '--port', String(port)], watch);
  return { requirements, scenarios };
}

/** Signs in and allows at the address that the suite prints, once its own server waits for what comes back. */
function visitWhenAsked(server: WholeServer, child: ChildProcess): void {
  let printed = '';
  let isVisited = false;
  child.stdout?.on('data', (chunk) => {
    printed += String(chunk);
    const [address] = /http\S+\/authorize\?\S+/.exec(printed) ?? [];
    if (isVisited || address === undefined || !printed.includes('Callback server started')) return;
    isVisited = true;
    const { pathname, search } = new URL(address);
    void allow(server, `${pathname}${search}`).then((answer) => fetch(answer.headers.get('location') ?? ''));
  });
}

/** Runs the suite in a folder of its own, since it leaves results where it stands. Throws when it gives no summary. */
async function run(args: readonly string[], watch: (child: ChildProcess) => void = () => {}) {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-conformance-'));
  const child = spawn(process.execPath, [suite.file ?? '', ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  watch(child);
  await new Promise((resolve) => {
    child.once('close', resolve);
  });
  await rm(folder, { recursive: true, force: true });
  const scenarios = scenariosOf(output);
  if (scenarios.length === 0) throw new Error(`The suite gave no summary:\n${output.slice(-2000)}`);
  return scenarios;
}

function scenariosOf(output: string): readonly Scenario[] {
  const [, summary = ''] = output.split('=== SUMMARY ===');
  const [scored = '', unscored = ''] = summary.split(/^Not scored/m);
  const others = new Set([...unscored.matchAll(/^ +[✓✗] (\S+)/gm)].map((match) => match[1]));
  return [...scored.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
    isRequired: !others.has(name),
  }));
}
