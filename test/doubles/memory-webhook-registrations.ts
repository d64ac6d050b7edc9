import type { WebhookRegistrations } from '#application/ports/webhook-registrations.ts';
import type { WebhookRegistration } from '#domain/webhook-registrations/webhook-registration.ts';
import { frozenCopy } from '#infrastructure/memory/frozen-copy.ts';

/** The registrations in memory, for tests: it forgets what stays registered. */
export class MemoryWebhookRegistrations implements WebhookRegistrations {
  readonly #lines = new Map<string, WebhookRegistration>();

  async list(): Promise<readonly WebhookRegistration[]> {
    return [...this.#lines].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, line]) => line);
  }

  async keep(line: WebhookRegistration): Promise<WebhookRegistration | null> {
    if ((this.#lines.get(keyOf(line))?.version ?? 0) !== line.version) return null;
    const kept = frozenCopy({ ...line, version: line.version + 1 });
    this.#lines.set(keyOf(line), kept);
    return kept;
  }

  async remove(line: WebhookRegistration): Promise<boolean> {
    if (this.#lines.get(keyOf(line))?.version !== line.version) return false;
    return this.#lines.delete(keyOf(line));
  }
}

function keyOf({ userId, service, name }: WebhookRegistration): string {
  return `${String(userId).padStart(16, '0')}/${service}/${name}`;
}
