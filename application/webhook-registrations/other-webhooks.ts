import type { Failure } from '#domain/operations/outcome.ts';
import {
  type DesiredWebhook,
  type RemoteWebhook,
  repeats,
} from '#domain/webhook-registrations/webhook-registration.ts';

const aboutDoubles = 'Events come twice:';

/** What is said about webhooks made by hand that also send events of the desired one; null for none. */
export function doublesText(others: readonly RemoteWebhook[], desired: DesiredWebhook): string | null {
  const doubles = others.filter((webhook) => webhook.isEnabled && repeats(webhook, desired));
  if (doubles.length === 0) return null;
  return `${aboutDoubles} a webhook made by hand sends them to this address too${eventsIn(doubles)}. Remove it in the settings of the service.`;
}

/** Whether a registration's remark is about such webhooks. */
export function isAboutDoubles(reason: string | null): boolean {
  return reason?.startsWith(aboutDoubles) === true;
}

/** What is said about webhooks made by hand if another one for the same URL is refused; '' where they are not the reason. */
export function conflictText({ reason }: Failure, others: readonly RemoteWebhook[]): string {
  if (others.length === 0 || !['conflict', 'rejected', 'invalid_input'].includes(reason)) return '';
  return ` A webhook made by hand has this address already${eventsIn(others)}. If only one may have it, remove that one in the settings of the service.`;
}

function eventsIn(webhooks: readonly RemoteWebhook[]): string {
  const events = [...new Set(webhooks.flatMap((webhook) => webhook.events ?? []))].slice(0, 10).join(', ');
  return events === '' ? '' : ` (${events.slice(0, 200)})`;
}
