import type { Clock } from '#application/ports/clock.ts';
import type { ConnectionMethods } from '#application/ports/connection-methods.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { CredentialsProbe } from '#application/ports/credentials-probe.ts';
import { checkMethod } from '#domain/connections/connect-rules.ts';
import type { ConnectionState } from '#domain/connections/connection-status.ts';
import { errorsText, type InputError } from '#domain/operations/input-error.ts';
import { type Failure, failed, invalidInput } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { accountIn } from '#domain/tokens/account.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** Credentials that a user entered manually. */
type GivenCredentials = Readonly<{
  service: ServiceKey;
  authMethod: AuthMethod;
  accessToken: string;
  extra: Readonly<Record<string, unknown>>;
}>;

/** The result of saving: the connection's state, and whether the provider accepted the credentials. */
type SavedCredentials = Readonly<{ service: ServiceKey; state: ConnectionState; checked: boolean }>;

type SaveCredentialsDependencies = Readonly<{
  connections: Pick<Connections, 'save'>;
  methods: ConnectionMethods;
  probe: CredentialsProbe;
  names: ServiceNames;
  clock: Clock;
}>;

/** Saves an API key or personal token (CONN-002, CONN-003). */
export class SaveCredentials {
  readonly #dependencies: SaveCredentialsDependencies;

  constructor(dependencies: SaveCredentialsDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Probes the credentials and saves them: rejected ones are discarded, and the existing ones stay; when the provider
   * cannot be reached, they are saved as `unchecked`.
   */
  async run(user: User, given: GivenCredentials): Promise<Result<SavedCredentials, Failure>> {
    const { connections, probe, clock, names } = this.#dependencies;
    const { service, authMethod, accessToken } = given;
    const extra = this.#permittedExtra(user, given);
    if (!extra.ok) return extra;
    const asGiven: TokenRecord = {
      userId: user.id,
      service,
      authMethod,
      accessToken,
      extra: extra.value,
      refreshToken: null,
      scope: null,
      expiresAt: null,
      updatedAt: clock.now(),
    };
    const completed = await probe.complete(asGiven);
    if (!completed.ok) return completed;
    const record = completed.value;
    const tried = await probe.probe(record);
    if (!tried.ok && tried.reason !== 'unavailable' && tried.reason !== 'rate_limited') {
      return err({
        ...tried,
        message: `The ${names.of(service)} refused these credentials, so they were not saved. ${tried.message}`,
      });
    }
    // The time is taken after the probe, so that a renewal of the old credentials that ended in the meantime is older.
    const since = clock.now();
    const state = tried.ok ? 'connected' : 'unchecked';
    const account = tried.ok ? accountIn(tried.data) : null;
    const known = account === null ? {} : { extra: { ...record.extra, account } };
    await connections.save(
      { ...record, ...known, updatedAt: since },
      { state, since, reason: tried.ok ? null : tried.message },
    );
    return ok({ service, state, checked: tried.ok });
  }

  /** Returns the metadata to store, or why the user may not connect the service by this method. */
  #permittedExtra(
    user: User,
    { service, authMethod, extra }: GivenCredentials,
  ): Result<Readonly<Record<string, unknown>>, Failure> {
    const { methods, names } = this.#dependencies;
    const title = names.of(service);
    if (!isPermitted(user, service)) return err(failed('forbidden', `You may not use the ${title}.`));
    const supported = methods.find(service);
    if (supported === null) return err(failed('not_connected', `This server does not speak to the ${title}.`));
    const method = checkMethod(supported.keys.method, authMethod);
    if (!method.ok) return err(wrongMethod(title, authMethod, method.failure.right));
    const checked = methods.checkExtra(service, extra);
    return checked.ok ? checked : err(invalidExtra(title, checked.failure));
  }
}

function invalidExtra(title: string, errors: readonly InputError[]): Failure {
  const inputErrors = errors.map((error) => ({ ...error, path: ['extra', ...error.path] }));
  return { ...invalidInput(inputErrors), message: `\`extra\` is invalid for the ${title}: ${errorsText(errors)}` };
}

function wrongMethod(title: string, method: string, right: readonly string[]): Failure {
  const instead =
    right.length === 0 ? 'It is connected by OAuth only.' : `Right is: ${right.join(', ')}, or OAuth where it has one.`;
  return failed('invalid_input', `The ${title} cannot be connected by ${method}. ${instead}`);
}
