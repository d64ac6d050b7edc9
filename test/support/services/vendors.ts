import type { Service } from '#adapters/services/definitions/service.ts';
import type { VendorFacts } from '#adapters/services/definitions/vendor.ts';
import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';

type Given = Readonly<{
  url?: string | null;
  authorizeUrl?: string | null;
  tokenUrl?: string | null;
  secrets?: readonly string[];
}>;

/** What a vendor does with these settings. */
function factsOf({ parts }: Service, name: string, { url, authorizeUrl, tokenUrl, secrets }: Given): VendorFacts {
  const vendor = parts.find((part) => part.name === name);
  if (vendor === undefined) throw new Error(`There is no vendor ${name}.`);
  const settings = {
    dialect: name,
    url: url ?? null,
    authorizeUrl: authorizeUrl ?? null,
    tokenUrl: tokenUrl ?? null,
    app: null,
    clientSecret: null,
    webhookSecrets: secrets ?? [],
  };
  return vendor.configure(settings, {});
}

const dialectOf = (service: Service) => (name: string, url: string | null) => factsOf(service, name, { url }).dialect();

const oauthOf = (service: Service) => (name: string, given: Given) => {
  const { oauth } = factsOf(service, name, given);
  if (oauth === null) throw new Error(`${name} has no OAuth.`);
  return oauth;
};

type Receiving = Readonly<{ secrets: readonly string[]; dialect: string }>;

const webhooksOf = (service: Service, name: string, secrets: readonly string[]) => {
  const { webhooks } = factsOf(service, name, { secrets });
  if (webhooks === null) throw new Error(`${name} sends no webhooks.`);
  return webhooks;
};

const sourceOf =
  (service: Service) =>
  ({ secrets, dialect }: Receiving) =>
    webhooksOf(service, dialect, secrets).source();

type Registering = Receiving &
  Readonly<{
    caller: OperationCaller;
    secretId: string | null;
    now?: () => number;
    url?: string;
    keepSecret?: (secret: string) => Promise<void>;
  }>;

const registrationOf =
  (service: Service) =>
  ({ secrets, dialect, caller, secretId, now = Date.now, url, keepSecret = async () => {} }: Registering) => {
    const { registration } = webhooksOf(service, dialect, secrets);
    if (registration === null) throw new Error(`${dialect} registers no webhooks.`);
    return registration({ caller, secretId, now, url: url ?? null, keepSecret });
  };

export const salesCrmDialect = dialectOf(salesCrm);
export const salesCrmOAuth = oauthOf(salesCrm);
export const salesCrmWebhookSource = sourceOf(salesCrm);
export const salesCrmWebhooks = registrationOf(salesCrm);
export const signingDialect = dialectOf(signing);
export const signingOAuth = oauthOf(signing);
export const signingWebhookSource = sourceOf(signing);
export const signingWebhooks = registrationOf(signing);
export type SuiteCrmDialect = 'neutral' | 'zoho';
export const suiteCrmDialect = dialectOf(suiteCrm);
export const suiteCrmOAuth = oauthOf(suiteCrm);
export const suiteCrmWebhookSource = sourceOf(suiteCrm);
export const trackerDialect = dialectOf(tracker);
export const trackerOAuth = oauthOf(tracker);
export const trackerWebhookSource = sourceOf(tracker);
export const trackerWebhooks = registrationOf(tracker);
