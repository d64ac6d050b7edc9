import { accessWord } from '#adapters/http/oauth/access-fields.ts';
import type { AppGrant } from '#domain/oauth/app-grant.ts';
import { allReadScope, fullScope, grantOfScope, scopeWords } from '#domain/oauth/grant.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * What a grant allows as JSON: `services` is null for all, including those permitted later; `scope` has the access to
 * each, and is null for everything; `off` are the switches of its tools.
 */
export function accessAsJson({ scope, switchedOff }: AppGrant, all: readonly ServiceKey[]) {
  const grant = grantOfScope(scope, all);
  return {
    services: scope === fullScope || scope === allReadScope ? null : [...grant.keys()],
    access: accessWord(grant),
    scope: scope === fullScope ? null : scopeWords(grant),
    off: switchedOff,
  };
}
