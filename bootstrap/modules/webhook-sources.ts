import type { ResolutionContext } from 'inversify';
import type { WebhookKeys } from '#adapters/contracts/webhook-keys.ts';
import type { ConfiguredVendor } from '#adapters/services/definitions/service.ts';
import { keyedSource } from '#adapters/services/webhooks/keyed-source.ts';
import { liveSource } from '#adapters/services/webhooks/live-source.ts';
import { severalSources } from '#adapters/services/webhooks/several-sources.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import { ProviderSettings } from '#application/setup/provider-settings.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { receiverOf } from '#bootstrap/modules/webhook-secrets.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Returns the receivers of the services that send webhooks; each verifies with the secrets that are set at that time. */
export function webhookSources(on: ResolutionContext): readonly WebhookSource[] {
  const { live } = on.get(tokens.runtime).settings;
  const keys = on.get(tokens.webhookKeys);
  const entered = on.get(ProviderSettings);
  return live.current.flatMap(({ service: { key } }, at) => {
    const vendors = () => live.current[at]?.all ?? [];
    const make = (all: readonly ConfiguredVendor[]) => sourceOf(key, all, keys);
    const sendsAny = vendors().some(({ webhooks }) => webhooks !== null);
    return sendsAny ? [liveSource(vendors, make, () => entered.refresh())] : [];
  });
}

/** The receiver of a service: that of its vendor, or of several. Throws when none of them sends webhooks. */
function sourceOf(key: ServiceKey, all: readonly ConfiguredVendor[], keys: WebhookKeys): WebhookSource {
  const vendors = all.flatMap(({ settings: { dialect: vendor }, webhooks: sent }) => {
    if (sent === null) return [];
    const configured = sent.secrets.length;
    const keyed = { keys, receiver: receiverOf(key, vendor), configured };
    const source = sent.choosesSecrets ? keyedSource((kept) => sent.source(kept), keyed) : sent.source();
    return [{ vendor, source, secrets: configured }];
  });
  const [first] = vendors;
  if (all.length > 1 || first === undefined) return severalSources(key, vendors);
  return first.source;
}
