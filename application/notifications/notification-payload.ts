import type { Notification } from '#domain/notifications/notification.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

/** What texts of notifications are made with: the services' names, and this server's base URL. */
export type NotificationTexts = Readonly<{ names: ServiceNames; baseUrl: string }>;

/** The body of a notification's request: ids, kinds, names of services and links to pages. */
export function notificationPayload(notification: Notification, { names, baseUrl }: NotificationTexts) {
  const { kind, at, userId, subject } = notification;
  const { service, event, delivery, reaction, approval, user } = subject;
  return {
    type: kind,
    timestamp: new Date(at).toISOString(),
    data: {
      ...(userId === null ? {} : { user_id: userId }),
      ...(user === undefined ? {} : { invited_user_id: user }),
      ...(service === undefined ? {} : { service, service_name: names.of(service) }),
      ...(event === undefined ? {} : { event }),
      ...(delivery === undefined ? {} : { delivery }),
      ...(reaction === undefined ? {} : { reaction }),
      ...(approval === undefined ? {} : { approval }),
      url: `${baseUrl}${notificationPage(notification)}`,
    },
  };
}

/** The path of the page on which a person sees, and mends, what a notification is about. */
export function notificationPage({ kind, subject }: Pick<Notification, 'kind' | 'subject'>): string {
  switch (kind) {
    case 'connection.broken':
    case 'connection.healed':
      return `/page#${subject.service ?? ''}`;
    case 'delivery.failed':
    case 'reaction.failed':
      return `/deliveries/${subject.delivery ?? ''}`;
    case 'approval.waiting':
      return subject.approval === undefined ? '/approvals' : `/approvals/${subject.approval}`;
    case 'user.invited':
      return '/users';
  }
}
