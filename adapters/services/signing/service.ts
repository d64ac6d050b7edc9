import { z } from 'zod';
import type { Provider } from '#adapters/services/provider.ts';
import { signingDialect } from '#adapters/services/signing/dialects.ts';
import { signingOAuth } from '#adapters/services/signing/oauth.ts';
import { signingOperations } from '#adapters/services/signing/operations.ts';
import type { Waiting } from '#adapters/services/signing/recipes.ts';

/** What is set of the signing service: which words it is spoken to in, and where it is (`SIGNING_*`). Null: not set. */
export type SigningSettings = Readonly<{
  dialect: 'neutral' | 'pandadoc';
  url: string | null;
  authorizeUrl: string | null;
  tokenUrl: string | null;
}>;

/** The signing service as it is set. `waiting` is how its recipes pause, given by tests. */
export function signingProvider(settings: SigningSettings, waiting?: Waiting): Provider {
  return {
    service: 'signing',
    vendor: settings.dialect === 'pandadoc' ? 'PandaDoc' : null,
    operations: signingOperations(waiting),
    dialect: signingDialect(settings.dialect, settings.url),
    oauth: signingOAuth(settings.dialect, settings),
    probe: 'members.list',
    // Whether a key is a sandbox key cannot be seen: the lower limits hold until `plan` says otherwise.
    extra: z.object({ plan: z.enum(['sandbox', 'production']).optional() }),
    versionPrefixes: ['/public/v1'],
    timeoutMs: 30_000,
    maxBytes: 32 * 1024 * 1024,
  };
}
