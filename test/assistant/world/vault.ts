import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contacts, customers, day, offers } from '#test/assistant/world/company.ts';

/** Writes the folder of notes: 200 notes, and the settings of the notes app that put daily notes into its root. */
export async function fillVault(folder: string): Promise<void> {
  const files = new Map<string, string>([
    ['.obsidian/daily-notes.json', '{"format":"YYYY-MM-DD","folder":"","template":"Templates/Daily"}'],
    ...customers.map((customer, at) => organisationNote(customer, at)),
    ...Array.from({ length: 60 }, (_, at) => dealNote(at)),
    ...contacts.slice(0, 60).map(({ name, email }, at) => personNote(name, email, at)),
    ...Array.from({ length: 19 }, (_, at) => dailyNote(-at)),
    ...singleNotes(),
  ]);
  for (const [path, text] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

type Note = readonly [path: string, text: string];

const organisationNote = ({ name, domain, tier }: (typeof customers)[number], at: number): Note => [
  `Organisations/${name}.md`,
  `---\nkind: organisation\ndomain: ${domain}\nsales_crm_org_id: ${at + 1}\ntier: ${tier}\n---\n# ${name}\n\n## People\n\n- [[${contacts[at * 2]?.name ?? ''}]]\n\n## Notes\n\nBuys for ${tier === 'A' ? 'all sites' : 'one site'}.\n`,
];

/** One in six has no tag; one in four has its Log twice. */
function dealNote(at: number): Note {
  const customer = customers[at % customers.length]?.name ?? '';
  const title = `${customer}: ${offers[Math.floor(at / customers.length) + (at % 2)] ?? ''}`;
  const tags = at % 6 === 0 ? '' : `tags: [deal, ${at % 2 === 0 ? 'north' : 'south'}]\n`;
  const log = `## Log\n\n- ${day(-9)} first call\n`;
  const second = at % 4 === 1 ? `\n## Delivery\n\nBy ship.\n\n## Log\n\n- ${day(-3)} shipped a sample\n` : '';
  return [
    `Deals/${title.replace(':', ' -')}.md`,
    `---\nkind: deal\nsales_crm_deal_id: ${at + 1}\nstatus: ${at % 10 === 3 ? 'won' : 'open'}\n${tags}---\n# Deal\n\nWith [[${customer}]].\n\n## Next steps\n\n- [ ] Write the offer 📅 ${day((at % 15) - 5)}\n\n${log}${second}`,
  ];
}

const personNote = (name: string, email: string, at: number): Note => [
  `People/${name}${at === 15 ? ' 2' : ''}.md`,
  `---\nkind: person\nemail: ${email}\n---\n# ${name}\n\nWorks at [[${customers[Math.floor(at / 2)]?.name ?? ''}]].\n`,
];

const dailyNote = (offset: number): Note => [
  `${day(offset)}.md`,
  `# ${day(offset)}\n\n## Tasks\n\n- [x] Read mail\n\n## Log\n\n- ${-offset} days before today\n`,
];

const priceRows = ['| Item | Price |', '| --- | ---: |', '| Terminal | 420 |', '| Antenna | 95 |'].join('\n');

function singleNotes(): readonly Note[] {
  const chapters = Array.from({ length: 90 }, (_, at) => chapter(at + 1));
  return [
    ['Handbook.md', `# Handbook\n\n${chapters.join('\n')}`],
    ['Templates/Daily.md', '# {{date}}\n\n## Tasks\n\n## Log\n'],
    [
      'Pricing.md',
      `# Pricing\n\n## Summary\n\nSee below.\n\n## Hardware\n\n${priceRows}\n\n## Services\n\n${priceRows.replace('Terminal', 'Visit')}\n`,
    ],
    // The name is decomposed, as some file systems write it.
    [`${'Café Menu'.normalize('NFD')}.md`, '# Café Menu\n\n- Espresso 2.50\n'],
    [
      'Deutsch/Angebotsvorlage.md',
      '---\ntags: [vorlage]\n---\n# Angebotsvorlage\n\nSehr geehrte Damen und Herren,\n\n## Preise\n\nSiehe [[Pricing]].\n',
    ],
    [
      '日本語/会議メモ.md',
      `# 会議メモ\n\n${'北斗工業との会議。納期を確認する。'.repeat(40)}\n\n## 次回\n\n- 見積もりを送る\n`,
    ],
    [
      'Projects/Rollout.md',
      '# Rollout\n\n## Risks\n\n- Cables are late\n\n## Open questions\n\n- Who trains the crew? ^crew\n\nSee [[Pricing#Hardware]] and [[Rollout#Open questions]].\n',
    ],
    [
      'Projects/Index.md',
      '# Index\n\n- [[Rollout#Open questions|questions]]\n- [[Projects/Rollout]]\n- [terms](../Contracts/Terms.md)\n',
    ],
    ['Contracts/Terms.md', '# Terms\n\n## Payment\n\nWithin 30 days.\n\n## Liability\n\nAs the law says.\n'],
    ['Contracts/Proposal.md', '# Proposal\n\nFor {{customer}}: forty terminals.\n'],
    [
      'Reactions/won-deals.md',
      '---\nreaction: on\nwhen: sales_crm.updated.deal\nif: deal.status == "won"\nnote: Won.md\n---\n- {{ deal.title }}\n',
    ],
    ...Array.from(
      { length: 10 },
      (_, at): Note => [`Ideas/Idea ${at + 1}.md`, `# Idea ${at + 1}\n\nA thought on #pricing and #north/coast.\n`],
    ),
  ];
}

function chapter(number: number): string {
  const rule = `Rule ${number}: whoever opens the gate closes it, and writes the time into the book of the harbour. `;
  return `## Chapter ${number}\n\n${rule.repeat(11)}\n\nThe deposit of chapter ${number} is ${number * 10} EUR.\n`;
}
