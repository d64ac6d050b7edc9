import { type ShownTime, shownAge, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import type { AttentionItem, AttentionKind } from '#domain/attention/attention.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** One thing that needs somebody, as Home shows it. */
export type ShownAttention = Readonly<{
  title: string;
  detail: string;
  since: ShownTime | null;
  href: string;
  kind: 'bad' | 'warn';
  label: string;
}>;

const labels: Readonly<Record<AttentionKind, string>> = {
  storage: 'Stopped',
  connection: 'Disconnected',
  approval: 'Waits',
  reaction_approval: 'Waits',
  reaction_call: 'Waits',
  delivery_failed: 'Failed',
  reaction_failed: 'Failed',
  webhook: 'Failed',
  remote_tools: 'Waits',
  budget: 'Nearly used up',
};

/** What is urgent, since something has stopped; the rest waits, or is going to. */
const urgent: readonly AttentionKind[] = ['storage', 'connection', 'delivery_failed', 'webhook'];

/** Builds the box of Home from what needs the user. */
export function shownAttention(
  items: readonly AttentionItem[],
  { names, reader }: Readonly<{ names: ServiceNames; reader: TimeReader }>,
): readonly ShownAttention[] {
  return items.map((item) => {
    const isUrgent = urgent.includes(item.kind);
    return {
      title: attentionTitle(item, names),
      detail: shownText(item.detail ?? '', 300),
      since: item.since === null ? null : shownAge(item.since, reader),
      href: item.page,
      kind: isUrgent ? 'bad' : 'warn',
      label: labels[item.kind],
    };
  });
}

/** Says how many things need the user, as the lead of Home. */
export function attentionLead(count: number): string {
  return count === 1 ? 'One thing needs your attention.' : `${count} things need your attention.`;
}

/** One thing as JSON; times are ISO 8601. */
export function attentionAsJson(
  item: AttentionItem,
  { names, baseUrl }: Readonly<{ names: ServiceNames; baseUrl: string }>,
) {
  const { kind, service, count, isMore, since, page, detail } = item;
  return {
    kind,
    title: attentionTitle(item, names),
    ...(service === null ? {} : { service, service_name: names.of(service) }),
    count,
    is_more: isMore,
    since: since === null ? null : new Date(since).toISOString(),
    url: `${baseUrl}${page}`,
    ...(detail === null ? {} : { detail }),
  };
}

/** What needs somebody, in a few words. */
function attentionTitle({ kind, service, count, isMore }: AttentionItem, names: ServiceNames): string {
  const name = service === null ? 'a service' : names.of(service);
  const many = `${count}${isMore ? ' or more' : ''}`;
  switch (kind) {
    case 'storage':
      return 'The data of this server cannot be stored';
    case 'connection':
      return `Connect ${name} again`;
    case 'approval':
      return count === 1 ? 'A change waits for your approval' : `${many} changes wait for your approval`;
    case 'reaction_approval':
      return count === 1 ? 'A reaction waits for an approval' : `${many} reactions wait for an approval`;
    case 'reaction_call':
      return count === 1
        ? 'A call of a reaction waits for a decision'
        : `${many} calls of reactions wait for a decision`;
    case 'delivery_failed':
      return count === 1 ? 'A delivery failed' : `${many} deliveries failed`;
    case 'reaction_failed':
      return count === 1 ? 'A reaction failed on a delivery' : `Reactions failed on ${many} deliveries`;
    case 'webhook':
      return `Webhooks of ${name} cannot be registered`;
    case 'remote_tools':
      return count === 1 ? `A tool of ${name} waits to be accepted` : `${many} tools of ${name} wait to be accepted`;
    case 'budget':
      return `A limit of ${name} is nearly used up`;
  }
}
