import { ContainerModule } from 'inversify';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';
import { SignedWebhook } from '#adapters/notifications/signed-webhook.ts';
import { SmtpMail } from '#adapters/notifications/smtp-mail.ts';
import { SendNotifications } from '#application/notifications/send-notifications.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** Binds what sends notifications, over the ways that are set up. */
export const notifications = new ContainerModule(({ bind }) => {
  bind(SendNotifications).toDynamicValue((on) => {
    const { baseUrl, settings } = on.get(tokens.runtime);
    const { NOTIFY_URL: url, NOTIFY_SECRET: keys = [], SMTP_URL: smtpUrl, MAIL_FROM: from } = settings;
    const clock = on.get(tokens.clock);
    return new SendNotifications({
      notifications: on.get(tokens.stores).notifications,
      webhook: url === undefined ? null : new SignedWebhook({ http: on.get(HttpClient), url, keys, clock }),
      mail: smtpUrl === undefined || from === undefined ? null : new SmtpMail({ url: smtpUrl, from }),
      users: on.get(tokens.users),
      texts: { names: on.get(tokens.serviceNames), baseUrl },
      metrics: on.get(PrometheusMetrics),
      clock,
      chance: Math.random,
      logger: on.get(tokens.logger),
    });
  });
});
