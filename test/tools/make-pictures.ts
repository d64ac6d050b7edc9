import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { SqlActivityLog } from '#adapters/persistence/sql-activity-log.ts';
import { hourOf, type UsageCount } from '#domain/activity/usage-count.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import { openStage, type Stage } from '#test/demo/stage.ts';
import { openChromium } from '#test/support/authorization/chromium.ts';

/* Takes the pictures of the README in the demo: its services and its assistant, with some weeks of made-up use before. */

const folder = 'docs/pictures';
const hourMs = 3_600_000;
const services = ['sales_crm', 'tracker', 'vault', 'signing', 'suite_crm'] as const;

const closers: (() => Promise<void> | void)[] = [];
try {
  const stage = await openStage({ port: 0, isVerbose: false, closers });
  await use(stage);
  await fill(stage);
  await take(stage);
} finally {
  for (const close of closers.toReversed()) await close();
}
process.exit();

/** A few calls of the assistant, so that there is something to see under Activity. */
async function use({ assistant }: Stage): Promise<void> {
  await assistant.use('vault_note_write', {
    path: 'Meetings/Acme.md',
    content: '# Acme\n\n- Wants a demo next week\n',
  });
  await assistant.use('sales_crm_deals_list', {});
  await assistant.use('tracker_issues_list', {});
  await assistant.use('vault_note_write', {
    path: 'Meetings/Acme.md',
    content: '# Acme\n\n- The demo is on Tuesday\n',
    mode: 'overwrite',
  });
  await assistant.use('vault_search', { query: 'Acme' });
  await new Promise((done) => setTimeout(done, 2_500));
}

/** Use by working days and hours, which repeats itself from run to run. */
async function fill({ portolan: { notes } }: Stage): Promise<void> {
  const url = `sqlite:${join(dirname(notes), 'portolan.sqlite')}`;
  const database = await openDatabase({ url, entities, migrations });
  const counts: UsageCount[] = [];
  for (let ago = 1; ago < 30 * 24; ago += 1) {
    const hour = hourOf(Date.now()) - ago * hourMs;
    const at = new Date(hour);
    const isWork = at.getUTCDay() % 6 !== 0 && at.getUTCHours() >= 7 && at.getUTCHours() < 18;
    if (!isWork) continue;
    for (const [place, service] of services.entries()) {
      const count = 3 + ((ago * 7 + place * 5) % 9);
      const one = { hour, service, count, failed: (ago + place) % 23 === 0 ? 1 : 0 };
      const calls = { ...one, kind: 'calls', tokens: count * 180 } as const;
      counts.push({ ...calls, userId: 1 }, { ...calls, userId: null });
      counts.push({ ...one, kind: 'deliveries', tokens: 0, userId: null });
    }
  }
  await new SqlActivityLog(database).add([], counts);
  await database.close();
}

async function take({ portolan: { baseUrl }, user }: Stage): Promise<void> {
  await mkdir(folder, { recursive: true });
  const browser = await openChromium();
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  await page.goto(`${baseUrl}/login`);
  await page.getByLabel('E-mail').fill(user.email);
  await page.getByLabel('Password').fill(user.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/floki/index');
  for (const [name, path, height] of [
    ['home', '/floki/index', 1180],
    ['activity', '/activity', 760],
  ] as const) {
    await page.setViewportSize({ width: 1280, height });
    await page.goto(`${baseUrl}${path}`);
    await page.screenshot({ path: join(folder, `${name}.png`) });
  }
  await browser.close();
}
