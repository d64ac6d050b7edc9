import { type NotificationTexts, notificationPage } from '#application/notifications/notification-payload.ts';
import type { Notification, NotificationKind } from '#domain/notifications/notification.ts';

/** The subject and text of an e-mail. */
export type MailText = Readonly<{ subject: string; text: string }>;

const whatHappened: Readonly<Record<NotificationKind, string>> = {
  'connection.broken': 'connections need you',
  'connection.healed': 'connections work again',
  'delivery.failed': 'deliveries failed',
  'reaction.failed': 'reactions failed',
  'approval.waiting': 'changes wait for an approval',
  'user.invited': 'users were invited',
};

const pages: Readonly<Record<NotificationKind, string>> = {
  'connection.broken': '/page',
  'connection.healed': '/page',
  'delivery.failed': '/deliveries?state=dead',
  'reaction.failed': '/deliveries?state=faulty',
  'approval.waiting': '/approvals',
  'user.invited': '/users',
};

/** The order in which a digest lists the kinds. */
const kinds = Object.keys(whatHappened);

/** The e-mail about one notification. */
export function mailText(notification: Notification, texts: NotificationTexts): MailText {
  const [subject, sentence] = about(notification, texts);
  return { subject, text: framed([sentence, `${texts.baseUrl}${notificationPage(notification)}`], texts) };
}

/** The e-mail about what exceeded the hour's number of e-mails. */
export function digestText(notifications: readonly Notification[], texts: NotificationTexts): MailText {
  const groups = kinds.flatMap((kind) => {
    const ofKind = notifications.filter((one) => one.kind === kind);
    const [first] = ofKind;
    if (first === undefined) return [];
    const page = ofKind.length === 1 ? notificationPage(first) : pages[first.kind];
    return [`${ofKind.length} × ${whatHappened[first.kind]}\n${texts.baseUrl}${page}`];
  });
  const subject = `Portolan: ${notifications.length} more notifications`;
  const why = 'More happened than is mailed one by one. In the last hour, besides what you were mailed:';
  return { subject, text: framed([why, ...groups], texts) };
}

function about({ kind, subject }: Notification, { names }: NotificationTexts): readonly [string, string] {
  const service = subject.service === undefined ? 'a service' : names.of(subject.service);
  switch (kind) {
    case 'connection.broken':
      return [`Connect ${service} again`, `${service} no longer accepts your sign-in. Connect it again:`];
    case 'connection.healed':
      return [`${service} works again`, `Your connection to ${service} works again:`];
    case 'delivery.failed':
      return [
        `A delivery of ${service} failed`,
        `Delivery ${subject.delivery ?? ''} of ${service} was given up. See why, and replay it:`,
      ];
    case 'reaction.failed':
      return [
        `A reaction failed: ${subject.reaction ?? ''}`,
        `The reaction ${subject.reaction ?? ''} failed on delivery ${subject.delivery ?? ''}. See why, and replay it:`,
      ];
    case 'approval.waiting': {
      const what = subject.reaction === undefined ? `A change in ${service}` : `The reaction ${subject.reaction}`;
      return [`${what} waits for your approval`, `${what} is not made until you allow it:`];
    }
    case 'user.invited':
      return ['A user was invited', `A new user (${subject.user ?? ''}) was invited:`];
  }
}

function framed(parts: readonly string[], { baseUrl }: NotificationTexts): string {
  return `${[...parts, `--\nPortolan, ${baseUrl}\nChoose at ${baseUrl}/account which e-mails you get.`].join('\n\n')}\n`;
}
