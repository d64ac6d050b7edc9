import type { GuidedSetting, SetupGuide } from '#adapters/contracts/setup-guides.ts';
import type { Service } from '#adapters/services/definitions/service.ts';
import { guidesOf } from '#adapters/services/definitions/setup-guides.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { effectsText } from '#bootstrap/build/effects-document.ts';

/** A document below docs/services: its file name, and what stands in it. */
type GuideDocument = Readonly<{ name: string; text: string }>;

const needs: Readonly<Record<GuidedSetting['need'], string>> = {
  speech: 'always',
  oauth: 'to connect by OAuth',
  deliveries: 'for webhooks',
  optional: '',
};

/** The documents on the vendors of these services, and the one that lists them; each says what its page at /setup says. */
export function guideDocuments(services: readonly Service[]): readonly GuideDocument[] {
  const guides = services.flatMap((service) => guidesOf(service).map((guide) => ({ service, guide })));
  const ofVendors = guides.flatMap(({ guide }) => (guide.vendor === null ? [] : [{ guide, vendor: guide.vendor }]));
  return [
    { name: 'README.md', text: indexOf(ofVendors) },
    { name: 'operations.md', text: operationsText(services) },
    { name: 'effects.md', text: effectsText(services) },
    ...ofVendors.map(({ guide, vendor }) => ({ name: `${guide.dialect}.md`, text: documentOf(guide, vendor) })),
  ];
}

function indexOf(guides: readonly Readonly<{ guide: SetupGuide; vendor: string }>[]): string {
  const rows = guides.map(({ guide, vendor }) => `| ${guide.title} | [${vendor}](${guide.dialect}.md) |`);
  return `# Connect a service

For administrators: what to do at each provider, and which settings to set in Portolan. The page \`/setup\` of your server has the same steps, with its own
addresses to copy, the settings that are still missing, and a live check.

| service | provider |
| ------- | -------- |
${rows.join('\n')}

A provider that implements Portolan’s neutral interface needs no dialect: set \`{SERVICE}_URL\`, and for OAuth \`{SERVICE}_AUTHORIZE_URL\` and
\`{SERVICE}_TOKEN_URL\`. \`/setup\` has the details.

Several vendors of a service may serve one server: \`{SERVICE}_DIALECT\` then names them, separated by commas. Each user connects one of them. The
settings of all but the first are named \`{SERVICE}_{VENDOR}_…\`. The first should stay the first: notes tell the records of the others by the vendor's name.

[What each vendor does of each operation](operations.md) · [What each operation does to your data](effects.md)

\`npm run guides\` writes these pages from the \`guide.ts\` of each service.
`;
}

/** How each vendor does each operation of its kind. */
function operationsText(services: readonly Service[]): string {
  const parts = services.map(({ title, kind, parts: vendors }) => {
    const tables = vendors.map(({ title: called, configure }) => ({
      called: called ?? 'neutral',
      operations: configure(unset, {}).operations(),
    }));
    const rows = Object.keys(kind.operations).map((name) => {
      const listed = kind.operations[name];
      const cells = tables.map(({ operations }) => howOf(listed, operations[name]));
      return `| \`${name}\` | ${cells.join(' | ')} |`;
    });
    const names = tables.map(({ called }) => called);
    const head = `| operation | ${names.join(' | ')} |\n| --------- | ${names.map((called) => '-'.repeat(called.length)).join(' | ')} |`;
    return `## ${title}\n\n${head}\n${rows.join('\n')}\n`;
  });
  return `# Operations of the vendors

\`=\` is the neutral request, \`≠\` one request in the vendor's own words, \`+\` a conversion or several requests; \`–\` means that the vendor has no
equivalent, and the operation then says what to use instead.

${parts.join('\n')}`;
}

const unset = {
  dialect: '',
  url: null,
  authorizeUrl: null,
  tokenUrl: null,
  app: null,
  clientSecret: null,
  webhookSecrets: [],
};

function howOf(listed: Operation | undefined, done: Operation | undefined): string {
  if (done === undefined || listed === undefined) return '';
  if (done.kind === 'recipe') return done.lacks !== undefined ? '–' : done === listed ? '=' : '+';
  return done.options.sent === undefined ? '=' : '≠';
}

function documentOf(guide: SetupGuide, vendor: string): string {
  const { service, title, app, key, deliveries, settings } = guide;
  const lead = `${title}: what to do at ${vendor}, and which settings to set in Portolan. \`BASE_URL\` stands for the address of your server; \`/setup/${service}\` on your server shows these steps with its own addresses.`;
  const keyTitle = app === null ? 'Connection' : 'Without an app: API key per user';
  return [
    `# ${vendor}`,
    lead,
    ...(app === null
      ? []
      : ['## App for OAuth', stepsOf(app), `Callback address: \`BASE_URL/connect/${service}/callback\``]),
    ...(key === null ? [] : [`## ${keyTitle}`, stepsOf(key)]),
    ...(deliveries === null
      ? []
      : ['## Webhooks', stepsOf(deliveries), `Webhook address: \`BASE_URL/webhooks/${service}\``]),
    '## Settings',
    tableOf(settings),
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n');
}

const stepsOf = (steps: readonly string[]): string => steps.map((step, at) => `${at + 1}. ${step}`).join('\n');

function tableOf(settings: readonly GuidedSetting[]): string {
  const rows = settings.map(({ name, text, need }) => `| \`${name}\` | ${text} | ${needs[need]} |`);
  return ['| setting | value | needed |', '| ------- | ----- | ------ |', ...rows].join('\n');
}
