/** A fault in a source of the server: what is found, what stands there then, and the sections of the contract suite that must see it. */
export type OutsideMutant = Readonly<{
  file: string;
  find: string;
  replace: string;
  sections: string;
  way: string;
  /** Whether it shows in the modes of portolan-modes.json only. */
  isInModes?: boolean;
}>;

/** Faults against what every server of the interface does, which the suite must see from outside. */
export const outsideMutants: readonly OutsideMutant[] = [
  {
    file: 'domain/oauth/authorization-code.ts',
    find: 'return now > code.expiresAt;',
    replace: 'return now > code.expiresAt + 60_000;',
    sections: 'CODE',
    way: 'codes live 660 s',
  },
  {
    file: 'domain/oauth/authorization-code.ts',
    find: 'return now > code.expiresAt;',
    replace: 'return now > code.expiresAt - 60_000;',
    sections: 'CODE',
    way: 'codes live 540 s',
  },
  {
    file: 'domain/oauth/authorization-code.ts',
    find: '!equal(code.clientId, exchange.clientId)',
    replace: 'false',
    sections: 'CODE,TOKEN',
    way: 'client not compared',
  },
  {
    file: 'domain/oauth/authorization-code.ts',
    find: '!equal(code.redirectUri, exchange.redirectUri)',
    replace: '!exchange.redirectUri.startsWith(code.redirectUri)',
    sections: 'CODE,TOKEN',
    way: 'redirect URI by prefix at the exchange',
  },
  {
    file: 'domain/oauth/authorization-code.ts',
    find: 'random(idBytes)',
    replace: 'random(16)',
    sections: 'CODE',
    way: 'codes of 16 bytes',
  },
  {
    file: 'domain/oauth/authorization-code.ts',
    find: "return err({ reason: 'expired_code' })",
    replace: "return err({ reason: 'invalid_code' })",
    sections: 'CODE',
    way: 'expired is invalid_code',
  },
  {
    file: 'domain/oauth/pkce.ts',
    find: 'return verifier !== null &&',
    replace: 'return verifier === null ||',
    sections: 'TOKEN,PKCE',
    way: 'verifier may be missing',
  },
  {
    file: 'domain/sessions/session.ts',
    find: 'return ageMs < sessionLifetimeS * 1000',
    replace: 'return ageMs < sessionLifetimeS * 2000',
    sections: 'SESS',
    way: 'sessions live 60 days',
  },
  {
    file: 'adapters/services/tracker/neutral/oauth.ts',
    find: '22 * 3_600_000',
    replace: '30 * 3_600_000',
    sections: 'RENEW',
    way: 'tracker renewed every 30 h',
  },
  {
    file: 'adapters/services/sales-crm/neutral/oauth.ts',
    find: 'renewEveryMs: 50 * 60_000',
    replace: 'renewEveryMs: 70 * 60_000',
    sections: 'RENEW',
    way: 'sales CRM every 70 min',
  },
  {
    file: 'adapters/services/suite-crm/neutral/oauth.ts',
    find: 'const hourlyMs = 50 * 60 * 1000',
    replace: 'const hourlyMs = 90 * 60 * 1000',
    sections: 'RENEW',
    way: 'suite CRM every 90 min',
  },
  {
    file: 'adapters/services/suite-crm/neutral/oauth.ts',
    find: "access_type: 'offline'",
    replace: "access_type: 'online'",
    sections: 'SUITE-008',
    way: 'access_type online',
  },
  {
    file: 'adapters/services/tracker/neutral/oauth.ts',
    find: "{ actor: 'app' }",
    replace: "{ actor: 'user' }",
    sections: 'TRACK-010',
    way: 'actor=app never asked',
  },
  {
    file: 'adapters/services/tracker/neutral/webhook-source.ts',
    find: 'const windowMs = 60_000',
    replace: 'const windowMs = 600_000',
    sections: 'HOOK',
    way: 'tracker window of 10 min',
  },
  {
    file: 'adapters/services/signing/neutral/webhook-source.ts',
    find: 'windowMs: 300_000',
    replace: 'windowMs: 3_000_000',
    sections: 'HOOK',
    way: 'signing window of 50 min',
  },
  {
    file: 'adapters/services/signing/neutral/limits.ts',
    find: 'const otherPoints = 60',
    replace: 'const otherPoints = 6000',
    sections: 'LIMIT',
    way: 'signing production limit gone',
  },
  {
    file: 'adapters/services/signing/neutral/limits.ts',
    find: 'const sandboxPoints = 10',
    replace: 'const sandboxPoints = 100',
    sections: 'LIMIT',
    way: 'sandbox limit of 100',
  },
  {
    file: 'adapters/services/sales-crm/neutral/limits.ts',
    find: 'const lowest: Plan = { multiplier: 1, burst: 20 }',
    replace: 'const lowest: Plan = { multiplier: 1, burst: 500 }',
    sections: 'LIMIT',
    way: 'bursts of 500',
  },
  {
    file: 'adapters/services/tracker/neutral/limits.ts',
    find: 'oauth: { requests: 500',
    replace: 'oauth: { requests: 5_000',
    sections: 'LIMIT',
    way: '5,000 an hour over OAuth',
  },
  {
    file: 'domain/webhook-registrations/renewal.ts',
    find: 'const renewalShare = 0.7',
    replace: 'const renewalShare = 1.2',
    sections: 'WREG',
    way: 'channels renewed too late',
    isInModes: true,
  },
  {
    file: 'domain/webhook-registrations/renewal.ts',
    find: 'maxLifetimeMs - 60 * minuteMs',
    replace: 'maxLifetimeMs + 1440 * minuteMs',
    sections: 'WREG',
    way: 'channels of eight days',
    isInModes: true,
  },
  {
    file: 'application/operations/run-operation.ts',
    find: 'const renewed = await this.#dependencies.accessTokens.renew(record);',
    replace:
      'await this.#dependencies.accessTokens.renew(record); const renewed = await this.#dependencies.accessTokens.renew(record);',
    sections: 'OP',
    way: 'renewed twice after 401',
  },
  {
    file: 'application/operations/run-operation.ts',
    find: 'const second = await this.#sendWith(renewed.value, request);',
    replace:
      'let second = await this.#sendWith(renewed.value, request); if (isRefused(second)) second = await this.#sendWith(renewed.value, request);',
    sections: 'OP',
    way: '401 answered a third time',
  },
];
