import { once } from 'node:events';
import { readdir, writeFile } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventsOf } from '#test/support/mcp/mcp-clients.ts';
import { filesIn, type Home, homeWithData, startDemo } from '#test/support/server/demo-process.ts';

let home: Home;
let before: Readonly<Record<string, string>>;

beforeEach(async () => {
  home = await homeWithData();
  before = await filesIn(home.path);
});
afterEach(() => home.remove());

/** The lines of a note below a heading, without their times and marks. */
function below(note: string, heading: string): readonly string[] {
  const section = note.split(`${heading}\n`)[1]?.split(/^#/m)[0] ?? '';
  const plain = (line: string) =>
    line.replace(/^- \d{4}-\d\d-\d\d \d\d:\d\d UTC: /, '').replace(/ \^evt-[0-9a-f]{16}$/, '');
  return section
    .split('\n')
    .filter((line) => line !== '')
    .map(plain);
}

describe('npm run demo -- --once', () => {
  it('plays the story, ends with 0, leaves the notes that the reactions wrote, and reports each step without colours when there is no terminal', async () => {
    const kept = join(home.temporary, 'kept');
    const demo = await startDemo(home, ['--once', '--keep', kept]);
    const code = await demo.ended();
    expect(demo.faults()).toBe('');
    expect(code).toBe(0);
    expectEachStep(demo.output());
    // It leaves the data and the settings of whoever runs it alone, and nothing behind.
    expect(await filesIn(home.path)).toEqual(before);
    expect(await readdir(home.temporary)).toEqual(['kept']);

    const { '.portolan/vault.json': marker, ...notes } = await filesIn(kept);
    expect(marker).toContain('"id"');
    expect(Object.keys(notes)).toEqual([
      'Contracts/Contract with Acme.md',
      'Deals/Rollout at Acme.md',
      'Issues/ENG-2 Set up accounts for Acme.md',
    ]);
    const [contract = '', deal = '', issue = ''] = Object.values(notes);

    expect(deal).toMatch(/^sales_crm_deal_id: "?1"?$/m);
    expect(deal).toMatch(/^status: "?won"?$/m);
    expect(deal).toMatch(/^value: 14000$/m);
    expect(below(deal, '## Notes')).toEqual(['Maria prefers a call on Tuesdays.']);
    expect(below(deal, '## History')).toEqual([
      'value 12000 → 14000, stage Qualified → Proposal made',
      'stage Proposal made → Negotiations started',
      'status open → won',
    ]);

    expect(contract).toMatch(/^status: "?document\.completed"?$/m);
    expect(below(contract, '## Status History')).toEqual([
      'status → document.draft',
      'status → document.sent',
      'status → document.viewed',
      'status → document.completed',
    ]);
    expect(contract.match(/\[Download the signed PDF\]/g)).toHaveLength(1);

    expect(issue).toMatch(/^tracker_issue_id: /m);
    expect(issue).toMatch(/^tracker_project_id: /m);
    expect(issue).toMatch(/^status: "?Done"?$/m);
    expect(issue).toContain('> They start with **20 people** on Monday.');
    expect(below(issue, '## History')).toEqual([
      'created by Ann Smith',
      'Bob Smith took it on and moved it to In Progress',
      'Bob Smith moved it to Done',
    ]);
  });

  /** What was delivered, which note changed, and how. */
  const expectEachStep = (output: string) => {
    expect(output).toContain('webhook updated.deal → 200');
    expect(output).toContain(
      'webhook recipient_completed → 200, document_state_changed → 200, document_completed_pdf_ready → 200',
    );
    expect(output).toMatch(/Deals\/Rollout at Acme\.md\n(.*\n)*? {4}│ - status: "?open"?\n {4}│ \+ status: "?won"?\n/);
    expect(output).toContain('Suite CRM › Contacts › Rossi');
    expect(output).toContain('│ + Phone: +39 011 555 0101');
    expect(output).toMatch(/claude mcp add --transport http portolan-demo http:\/\/localhost:\d+\/message/);
    expect(output).not.toContain('\u001b');
  };
});

describe('npm run demo', () => {
  it('shows the notes in a browser of this machine as they change, under its own host name only, keeps running after the story, and ends with 0 at Ctrl-C', async () => {
    const demo = await startDemo(home, []);
    await demo.said('everything keeps running');
    const page = /Watch\s+(http:\/\/localhost:\d+\/)/.exec(demo.output())?.[1] ?? '';
    const html = await fetch(page);
    expect(html.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await html.text()).toContain('Portolan');
    for (const file of ['demo.js', 'demo.css', 'portolan.css', 'portolan.svg']) {
      expect((await fetch(new URL(file, page))).status).toBe(200);
    }
    expect(await statusFor(new URL('events', page), 'evil.example')).toBe(403);
    const events = eventsOf(await fetch(new URL('events', page)));
    const first = await events.next();
    expect(first.value?.data).toContain('Deals/Rollout at Acme.md');

    const notes = /The notes are in (.*), until/.exec(demo.output())?.[1] ?? '';
    await writeFile(join(notes, 'By hand.md'), 'written by a person\n');
    const next = await events.next();
    expect(next.value?.data).toContain('By hand.md');

    demo.signal('SIGINT');
    expect(await demo.ended()).toBe(0);
    expect(demo.faults()).toBe('');
    expect(await filesIn(home.path)).toEqual(before);
    expect(await readdir(home.temporary)).toEqual([]);
  });

  it('rejects an unknown option, and starts nothing', async () => {
    const demo = await startDemo(home, ['--twice']);
    expect(await demo.ended()).toBe(1);
    expect(demo.faults()).toContain("unknown option '--twice'");
    expect(await readdir(home.temporary)).toEqual([]);
  });
});

/** fetch() does not let one choose the host. */
async function statusFor(url: URL, host: string): Promise<number> {
  const [response] = await once(get(url, { headers: { host } }), 'response');
  response.destroy();
  return response.statusCode;
}
