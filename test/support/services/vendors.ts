import { salesCrm } from '#adapters/services/sales-crm/service.ts';
import type { Service } from '#adapters/services/service.ts';
import { signing } from '#adapters/services/signing/service.ts';
import { suiteCrm } from '#adapters/services/suite-crm/service.ts';
import { tracker } from '#adapters/services/tracker/service.ts';
import type { VendorFacts } from '#adapters/services/vendor.ts';
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

const dialectOf =
  <Name extends string>(service: Service) =>
  (name: Name, url: string | null) =>
    factsOf(service, name, { url }).dialect();

const oauthOf =
  <Name extends string>(service: Service) =>
  (name: Name, given: Given) => {
    const { oauth } = factsOf(service, name, given);
    if (oauth === null) throw new Error(`${name} has no OAuth.`);
    return oauth;
  };

type Receiving<Name extends string> = Readonly<{ secrets: readonly string[]; dialect: Name }>;

const webhooksOf = (service: Service, name: string, secrets: readonly string[]) => {
  const { webhooks } = factsOf(service, name, { secrets });
  if (webhooks === null) throw new Error(`${name} sends no webhooks.`);
  return webhooks;
};

const sourceOf =
  <Name extends string>(service: Service) =>
  ({ secrets, dialect }: Receiving<Name>) =>
    webhooksOf(service, dialect, secrets).source();

type Registering<Name extends string> = Receiving<Name> &
  Readonly<{ caller: OperationCaller; secretId: string | null; now?: () => number }>;

const registrationOf =
  <Name extends string>(service: Service) =>
  ({ secrets, dialect, caller, secretId, now = Date.now }: Registering<Name>) => {
    const { registration } = webhooksOf(service, dialect, secrets);
    if (registration === null) throw new Error(`${dialect} registers no webhooks.`);
    return registration({ caller, secretId, now });
  };

export const salesCrmDialect = dialectOf<'neutral' | 'pipedrive'>(salesCrm);
export const salesCrmOAuth = oauthOf<'neutral' | 'pipedrive'>(salesCrm);
export const salesCrmWebhookSource = sourceOf<'neutral' | 'pipedrive'>(salesCrm);
export const salesCrmWebhooks = registrationOf<'neutral' | 'pipedrive'>(salesCrm);
export const signingDialect = dialectOf<'neutral' | 'pandadoc'>(signing);
export const signingOAuth = oauthOf<'neutral' | 'pandadoc'>(signing);
export const signingWebhookSource = sourceOf<'neutral' | 'pandadoc'>(signing);
export type SuiteCrmDialect = 'neutral' | 'zoho';
export const suiteCrmDialect = dialectOf<SuiteCrmDialect>(suiteCrm);
export const suiteCrmOAuth = oauthOf<SuiteCrmDialect>(suiteCrm);
export const trackerDialect = dialectOf<'neutral' | 'linear'>(tracker);
export const trackerWebhookSource = sourceOf<'neutral' | 'linear'>(tracker);
export const trackerWebhooks = registrationOf<'neutral' | 'linear'>(tracker);
