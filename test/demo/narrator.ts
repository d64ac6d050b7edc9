import { styleText } from 'node:util';
import type { Addresses, StoryStep } from '#test/demo/chronicle.ts';
import type { Changed } from '#test/demo/documents.ts';
import type { DiffLine } from '#test/demo/line-diff.ts';

type Style = Parameters<typeof styleText>[0];

const maxLines = 40;
const colours: Readonly<Record<DiffLine['mark'], Style>> = { '+': 'green', '-': 'red', ' ': 'dim', '⋯': 'dim' };

/** Coloured only where standard output is a terminal that wants colours (NO_COLOR and FORCE_COLOR are heeded). */
function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** A step as a few lines: what happened where, what was delivered, which note changed, and how. */
export function narration({ number, place, what, remark, deliveries, changes }: StoryStep): string {
  const heading = `${styled('dim', String(number).padStart(2))}  ${styled(['bold', 'cyan'], place)}  ${styled('bold', what)}`;
  const said = deliveries.map(({ event, status }) => `${event} → ${status ?? 'no answer'}`).join(', ');
  const delivered = said === '' ? [] : [`    ${styled('dim', `webhook ${said}`)}`];
  const changed = changes.flatMap((change) => ['', ...changeLines(change)]);
  const nothing = changes.length === 0 ? [`    ${styled('dim', 'no note changed')}`] : [];
  const remarks = remark === null ? [] : ['', `    ${styled(['italic', 'dim'], remark)}`];
  return ['', heading, ...delivered, ...nothing, ...changed, ...remarks, ''].join('\n');
}

function changeLines({ name, how, lines }: Changed): readonly string[] {
  const title = `    ${styled('yellow', name)}${how === 'changed' ? '' : styled('dim', `  ${how}`)}`;
  const shown = lines.slice(0, maxLines).map(({ mark, text }) => `    ${styled('dim', '│')} ${line(mark, text)}`);
  const more = lines.length - shown.length;
  return [title, ...shown, ...(more > 0 ? [`    ${styled('dim', `│ … ${more} more lines`)}`] : [])];
}

/** Control characters of a note must not steer the terminal. */
function line(mark: DiffLine['mark'], text: string): string {
  const plain = text.replaceAll(/\p{Cc}/gu, '·');
  const [, before = plain, id = ''] = /^(.*?)( \^evt-[0-9a-f]{16})?$/.exec(plain) ?? [];
  return styled(colours[mark], `${mark} ${before}`.trimEnd()) + (id === '' ? '' : styled('dim', id));
}

/** Where everything is; `page` is null when nobody is to watch. */
export function opening({ home, mcp, tools, email, password, deliveries }: Addresses, page: string | null): string {
  const label = (name: string) => styled('dim', name.padEnd(10));
  const lines = [
    `  ${styled('bold', 'Portolan demo')}  the server, its vault and four emulated services, all on this machine`,
    '',
    ...(page === null ? [] : [`  ${label('Watch')} ${styled('underline', page)}`]),
    `  ${label('Server')} ${home}`,
    `  ${label('')} ${deliveries}`,
    `  ${label('Sign in')} ${email}  ${password}`,
    `  ${label('MCP')} ${mcp}   (${tools} tools, all five services)`,
    `  ${label('Connect')} claude mcp add --transport http portolan-demo ${mcp}`,
  ];
  return ['', ...lines, '', ''].join('\n');
}

/** What is said when the story has been played and everything stays up. */
export function epilogue({ notes }: Addresses): string {
  const lines = [
    `  ${styled('bold', 'The story is over; everything keeps running.')}`,
    '  Connect an assistant and have it change something, or edit a note: the change appears here and on the page.',
    `  The notes are in ${notes}, until this ends. ${styled('bold', 'Ctrl-C')} ends it and removes what it made.`,
  ];
  return ['', ...lines, '', ''].join('\n');
}
