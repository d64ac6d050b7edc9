import { type AllowedChange, storable } from '#application/approvals/ask-approval.ts';
import type { ChangeGate, MakeChange, PassedChange } from '#application/changes/change-gate.ts';
import type { AccessTokens } from '#application/connections/access-tokens.ts';
import { byOperations } from '#application/operations/by-operations.ts';
import { withVaultFile } from '#application/operations/vault-files.ts';
import type { Clock } from '#application/ports/clock.ts';
import type { OperationCaller, UserCall } from '#application/ports/operation-caller.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { OperationMetrics } from '#application/ports/operation-metrics.ts';
import type {
  OperationCall,
  OutboundRequest,
  ReadyOperation,
  ServiceGateway,
  UndoCall,
} from '#application/ports/service-gateway.ts';
import type { ActivityEntry } from '#domain/activity/activity-entry.ts';
import { isAskedBefore } from '#domain/changes/ask-policy.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { differenceText } from '#domain/changes/difference-text.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type Effect, storedEffectOf, worstEffect } from '#domain/operations/effect.ts';
import { confirmFirst, type Failure, failed, type Outcome, recordIdOf } from '#domain/operations/outcome.ts';
import { programOperation, programService } from '#domain/programs/program-names.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { type Awaitable, andThen, type Result } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { isSwitchedOff, permissionFailure, switchedOffFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';

/** Runs an operation for a user, with a permission check; `RunOperation.run` as a function. */
export type RunOperationFor = (user: User, call: OperationCall) => Promise<Outcome>;

/** The dependencies of the use case. */
export type RunOperationDependencies = Readonly<{
  gateway: ServiceGateway;
  accessTokens: Pick<AccessTokens, 'find' | 'renew' | 'worked' | 'refused'>;
  catalog: Pick<OperationCatalog, 'operations' | 'names'>;
  clock: Clock;
  /** Counts the permitted calls. */
  metrics: OperationMetrics;
  /** What the changes of apps pass before they are sent; without it they are sent as they are. */
  gate?: Pick<ChangeGate, 'run' | 'runAllowed'> | null;
  /** Returns the web address of an answer's record, per service; none when not given. */
  answeredAddresses?: ReadonlyMap<ServiceKey, (data: unknown) => string | null>;
}>;

/** App calls noted since the last `takeCalls`, in order, and the number of calls that were dropped. */
export type TakenCalls = Readonly<{ entries: readonly ActivityEntry[]; dropped: number }>;

/** An operation as the catalog lists it; undefined for one that it does not. */
type Listed = OperationInfo | undefined;

/** A call, its operation, and its effect by its inputs. */
type KnownCall = Readonly<{ call: OperationCall; listed: Listed; effect: Effect }>;

/** A call as it is noted, before its effect is put into the words of the activity. */
type NotedCall = Omit<ActivityEntry, 'effect'> & Readonly<{ effect: Effect }>;

/** A program as it is noted: when it began (Unix ms), its worst effect, how it ended, and how long it took in ms. */
type NotedProgram = Readonly<{ id: string; at: number; effect: Effect; outcome: ActivityEntry['outcome']; ms: number }>;

/** The maximum number of app calls buffered until they are taken. */
const maxNoted = 10_000;

/**
 * How long credentials that were rejected right after a renewal are not renewed again, in ms, since each call would
 * cause a renewal.
 */
const restMs = 60_000;

/**
 * Runs an outbound operation: checks the permission, finds the connection, and sends the operation's requests. A
 * request whose credentials the provider rejects is sent once more with renewed ones. Updates the connection's status.
 */
export class RunOperation implements OperationCaller {
  readonly #dependencies: RunOperationDependencies;
  readonly #listed: () => ReadonlyMap<string, OperationInfo>;
  #noted: NotedCall[] = [];
  #dropped = 0;
  /**
   * Access tokens that were rejected right after their renewal, by connection, and until when (Unix ms) they are not
   * renewed.
   */
  readonly #refusedRenewed = new Map<string, Readonly<{ accessToken: string; until: number }>>();

  constructor(dependencies: RunOperationDependencies) {
    this.#dependencies = dependencies;
    this.#listed = byOperations(
      dependencies.catalog,
      (operations) => new Map(operations.map((operation) => [operationKey(operation), operation])),
    );
  }

  /**
   * Runs the operation for a user who has the service's permission, within the limits of their access token. Fails with
   * `forbidden` otherwise, and for an operation that the user has switched off. An operation that the catalog does not
   * list as read-only counts as a change. Calls by apps are noted.
   */
  async run(user: User, call: OperationCall): Promise<Outcome> {
    const { gate } = this.#dependencies;
    const known = this.#known(call);
    if (known.effect === 'read' || gate == null || (user.app === undefined && !isPlanned(call))) {
      const plain = () => this.#callWithFile(user, { ...call, isUsers: true }, known.listed);
      return this.#permitted(user, known, async () => alone(unplannedQuestion(call, known.effect) ?? (await plain())));
    }
    return this.#permitted(user, known, (make) => gate.run(user, call, make));
  }

  /**
   * Makes a change that its user allowed at `/approvals`, as the app that asked for it and under the rights of now; it
   * waits again when it is no longer what the user saw.
   */
  async runAllowed(user: User, call: OperationCall, allowed: AllowedChange): Promise<Outcome> {
    const { gate } = this.#dependencies;
    if (gate == null) return failed('forbidden', 'Nothing is asked on this server.');
    return this.#permitted(user, this.#known(call), (make) => gate.runAllowed(user, call, { allowed, make }));
  }

  /** Takes a change back, under the rights of its user; it passes the gate as any change, by an approval if one is given. */
  async undo(user: User, { undo, isForced, ...call }: UndoCall, allowed?: AllowedChange): Promise<Outcome> {
    const { gate, gateway } = this.#dependencies;
    const named = { ...call, input: {} };
    const make: MakeChange = (onPlanned) =>
      this.#applySteps(user.id, call, () => gateway.prepareUndo({ ...call, undo, isForced, onPlanned }));
    return this.#permitted(user, this.#known(named), async () => {
      if (gate == null) return alone(await make(goesOn));
      return allowed === undefined ? gate.run(user, named, make) : gate.runAllowed(user, named, { allowed, make });
    });
  }

  /** Runs a call if its user has the rights for it, and notes it when an app called. */
  async #permitted(
    user: User,
    { call, effect, listed }: KnownCall,
    run: (make: MakeChange) => Promise<PassedChange>,
  ): Promise<Outcome> {
    const { catalog, clock } = this.#dependencies;
    const isReading = listed?.effect === 'read';
    const at = clock.now();
    const rejection = permissionFailure(user, { service: call.service, isReading, names: catalog.names });
    const standIns = listed?.standIns ?? [];
    const isOff = isSwitchedOff(user, { service: call.service, name: call.name, effect, standIns });
    const failure = rejection ?? (isOff ? switchedOffFailure(call.service, catalog.names) : null);
    const make: MakeChange = (onPlanned) => this.#callWithFile(user, { ...call, isUsers: true, onPlanned }, listed);
    const { outcome, keptId } = failure === null ? await run(make) : alone(failure);
    // A question in the client is no call yet.
    if (user.app !== undefined && (outcome.ok || outcome.toConfirm === undefined)) {
      // A dry run changes nothing.
      const done = call.asked?.isDry === true ? 'read' : effect;
      this.#note(user, call, { at, effect: done, outcome, keptId });
    }
    return outcome;
  }

  /** What the catalog knows of a call; the effect of an operation that it does not list is the worst. */
  #known(call: OperationCall): KnownCall {
    const listed = this.#listed().get(operationKey(call));
    const effect = listed?.effect === 'read' ? 'read' : (listed?.effectOf(call.input) ?? worstEffect);
    return { call, listed, effect };
  }

  /** Returns the app calls noted since the last call, and clears them. */
  takeCalls(): TakenCalls {
    const entries = this.#noted.map((call) => ({ ...call, effect: storedEffectOf(call.effect) }));
    const taken = { entries, dropped: this.#dropped };
    [this.#noted, this.#dropped] = [[], 0];
    return taken;
  }

  /** Notes a program of an app, under whose id its calls are noted. */
  noteProgram(user: User, { id, ...noted }: NotedProgram): void {
    if (user.app === undefined) return;
    const { grantId, name: app } = user.app;
    const of = { service: programService, operation: programOperation, recordId: null, recordUrl: null };
    this.#keepNoted({ ...noted, ...of, userId: user.id, grantId, app, keptId: id });
  }

  /** Buffers a call until it is taken; counts it as dropped when too many are. */
  #keepNoted(call: NotedCall): void {
    if (this.#noted.length < maxNoted) this.#noted.push(call);
    else this.#dropped += 1;
  }

  /**
   * Notes a call by an app: the operation, the record and the outcome. Of its input and answer only the record's id and
   * web address are kept.
   */
  #note(
    { id: userId, app }: User,
    { service, name: operation, input, program }: OperationCall,
    { at, effect, outcome, keptId }: PassedChange & Readonly<{ at: number; effect: Effect }>,
  ): void {
    const ms = this.#dependencies.clock.now() - at;
    const data = outcome.ok ? outcome.data : null;
    const recordId = recordIdOf(input, data);
    const recordUrl = this.#dependencies.answeredAddresses?.get(service)?.(data) ?? null;
    const kept = keptId === null ? {} : { keptId };
    const part = program === undefined ? {} : { partOf: program.id };
    this.#keepNoted({
      at,
      userId,
      grantId: app?.grantId ?? null,
      app: app?.name ?? null,
      service,
      operation,
      effect,
      recordId,
      recordUrl,
      outcome: outcome.ok ? 'ok' : outcome.reason,
      ms,
      ...kept,
      ...part,
    });
  }

  call(call: UserCall): Promise<Outcome> {
    return this.#call(call.userId, call, this.#listed().get(operationKey(call)));
  }

  /** Calls an operation; a file of the vault that its input names is read before, as the user may. */
  async #callWithFile(user: User, call: OperationCall, listed: Listed): Promise<Outcome> {
    const upload = listed?.upload ?? null;
    if (upload === null) return this.#call(user.id, call, listed);
    const filled = await withVaultFile(call, upload, (reading) => this.run(user, reading));
    return filled.ok ? this.#call(user.id, filled.value, listed) : filled.failure;
  }

  async #call(userId: number, call: OperationCall, listed: Listed): Promise<Outcome> {
    const outcome = await this.#applySteps(userId, call, () => this.#dependencies.gateway.prepare(call));
    this.#dependencies.metrics.called(call.service, outcome, listed?.tool ?? null);
    return outcome;
  }

  async #applySteps(
    userId: number,
    { service }: Pick<OperationCall, 'service'>,
    prepare: () => Result<ReadyOperation, Failure>,
  ): Promise<Outcome> {
    const operation = prepare();
    if (!operation.ok) return operation.failure;
    const found = await this.#dependencies.accessTokens.find(userId, service);
    if (!found.ok) return found.failure;
    const connection = { record: found.value };
    return operation.value.run(found.value, (request) => this.#send(request, connection));
  }

  /** Sends one request; credentials that are renewed for it are also used for the operation's later requests. */
  #send(request: OutboundRequest, connection: { record: TokenRecord }): Awaitable<Outcome> {
    const { record } = connection;
    return andThen(this.#sendWith(record, request), (first) =>
      isRefused(first) && !this.#isResting(record) ? this.#sendRenewed(request, connection) : first,
    );
  }

  async #sendRenewed(request: OutboundRequest, connection: { record: TokenRecord }): Promise<Outcome> {
    const { record } = connection;
    const renewed = await this.#dependencies.accessTokens.renew(record);
    // The provider answered the request: by its refusal.
    if (!renewed.ok) return { ...renewed.failure, sent: 'yes' };
    connection.record = renewed.value;
    if (!request.canBeSentAgain) return this.#spent(record);
    const second = await this.#sendWith(renewed.value, request);
    if (isRefused(second)) await this.#noteRefusedRenewed(renewed.value);
    return second;
  }

  /**
   * Sends one request with the record's credentials. A success shows that they are accepted, so that the next 401 may
   * cause a renewal again.
   */
  #sendWith(record: TokenRecord, request: OutboundRequest): Awaitable<Outcome> {
    return andThen(request.send(record), (outcome) => {
      if (!outcome.ok) return outcome;
      if (this.#refusedRenewed.size > 0) this.#refusedRenewed.delete(connectionKey(record));
      return andThen(this.#dependencies.accessTokens.worked(record), () => outcome);
    });
  }

  #isResting(record: TokenRecord): boolean {
    const known = this.#refusedRenewed.get(connectionKey(record));
    return known?.accessToken === record.accessToken && this.#dependencies.clock.now() < known.until;
  }

  async #noteRefusedRenewed(record: TokenRecord): Promise<void> {
    const { clock, accessTokens } = this.#dependencies;
    const { accessToken } = record;
    this.#refusedRenewed.set(connectionKey(record), { accessToken, until: clock.now() + restMs });
    await accessTokens.refused(record);
  }

  #spent({ service }: TokenRecord): Outcome {
    const name = this.#dependencies.catalog.names.of(service);
    const message = `The ${name} refused the access token, which has now been renewed. The file was sent as a stream and cannot be sent twice: upload it again.`;
    return failed('unavailable', message, { retryAfterMs: 0, sent: 'yes' });
  }
}

/** Whether a person's own call is planned as an app's is: to be shown, or to be confirmed in the client. */
const isPlanned = ({ asked = {} }: OperationCall): boolean => asked.isDry === true || asked.confirmed !== undefined;

/** What the client's user confirms where nothing is known of the record: the inputs; null to go on. */
function unplannedQuestion({ name, input, asked = {} }: OperationCall, effect: Effect): Failure | null {
  if (asked.confirmed === undefined || !isAskedBefore(effect)) return null;
  const digest = digestOfJson([name, storable(input)]);
  if (asked.confirmed === digest) return null;
  const fields = Object.entries(isObject(input) ? input : {}).map(([field, after]) => ({ field, after }));
  const text = differenceText([{ kind: 'record', id: recordIdOf(input, null), title: null, fields }]);
  return confirmFirst({ digest, effect, text });
}

/** An outcome of which nothing is kept. */
const alone = (outcome: Outcome): PassedChange => ({ outcome, keptId: null });

const goesOn = async (): Promise<null> => null;

function isRefused(outcome: Outcome): boolean {
  return !outcome.ok && outcome.reason === 'unauthorized';
}

function operationKey({ service, name }: Pick<OperationCall, 'service' | 'name'>): string {
  return `${service} ${name}`;
}

function connectionKey({ userId, service }: TokenRecord): string {
  return `${userId}:${service}`;
}
