import type { NoteChange } from '#adapters/contracts/changes.ts';
import { checkInput } from '#adapters/input/check-input.ts';
import { projected } from '#adapters/services/answers/projection.ts';
import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import {
  type ChangeRule,
  endedOr,
  PlanOnce,
  ruledPlan,
  ruleNameIn,
  unruledPlan,
} from '#adapters/services/changes/change-rule.ts';
import { reversed } from '#adapters/services/changes/reverse-calls.ts';
import { SentEffects } from '#adapters/services/changes/sent-effects.ts';
import { atSentNames, withOwnNames } from '#adapters/services/definitions/aliases.ts';
import { nameOf, type Provider, serviceNameOf, vendorsOf } from '#adapters/services/definitions/provider.ts';
import { vendorNamed } from '#adapters/services/definitions/vendor-named.ts';
import type { ConnectionLimits } from '#adapters/services/limits/connection-limits.ts';
import type { MayReachPrivate } from '#adapters/services/requests/given-address.ts';
import { runLocally, undoLocally } from '#adapters/services/requests/local-calls.ts';
import { OperationSender } from '#adapters/services/requests/operation-sender.ts';
import {
  type CallRow,
  effectIn,
  type Operation,
  type RecipeConnection,
  type RecipeRow,
  type RequestRow,
  undoName,
} from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type {
  OperationCall,
  OutboundRequest,
  ReadyOperation,
  ServiceGateway,
  UndoCall,
} from '#application/ports/service-gateway.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { type Failure, failed, type Outcome, refusedInput } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { own } from '#domain/shared/own.ts';
import { type Awaitable, andThen, err, ok, type Result } from '#domain/shared/result.ts';
import { accountOf } from '#domain/tokens/account.ts';
import { isTeams, type TokenRecord } from '#domain/tokens/token-record.ts';
import type { HttpClient } from '#infrastructure/http/http-client.ts';

/** The dependencies of the gateway. */
export type GatewayDependencies = Readonly<{
  providers: readonly Provider[];
  http: HttpClient;
  /** The providers' rate limits, shared by everything that sends requests; its own by default. */
  limits?: ConnectionLimits;
  /** Called for each note that an operation changes. */
  onNoteChange?: (change: NoteChange) => void;
  /** Whose connections may reach private addresses; everybody's by default. */
  mayReachPrivate?: MayReachPrivate;
}>;

/** A service as a connection uses it: at the vendor that the connection names, if the service has several. */
export function providerFor(provider: Provider, { extra }: Pick<TokenRecord, 'extra'>): Provider {
  return provider.others?.get(String(extra['vendor'])) ?? provider;
}

/** Runs operations over HTTP: validates the input, then sends the request of a row or runs a recipe. */
export class HttpServiceGateway implements ServiceGateway {
  readonly #providers: ReadonlyMap<ServiceKey, Provider>;
  readonly #sender: OperationSender;
  readonly #onNoteChange: ((change: NoteChange) => void) | undefined;

  constructor({ providers, http, limits, onNoteChange, mayReachPrivate }: GatewayDependencies) {
    this.#onNoteChange = onNoteChange;
    this.#providers = new Map(providers.map((provider) => [provider.service, provider]));
    this.#sender = new OperationSender(http, { limits, onNoteChange, mayReachPrivate });
  }

  prepare(call: OperationCall): Result<ReadyOperation, Failure> {
    const service = this.#providers.get(call.service);
    const operation =
      (service?.remote?.current ?? service?.listed)?.[call.name] ??
      (call.isUsers === true ? undefined : ownRequest(service, call.name));
    if (service === undefined || operation === undefined) {
      const name = service === undefined ? call.service : serviceNameOf(service);
      return err(failed('invalid_input', `There is no operation "${call.name}" of the ${name}.`));
    }
    const input = checked(operation, call.input);
    if (!input.ok) return err(input);
    const { effect } = operation;
    const run: ReadyOperation['run'] = (record, send) => {
      const effects = effect === 'read' ? null : new SentEffects();
      const provider = providerFor(service, record);
      const place = { provider, record, call, send, effects, plan: planOf(operation, input.data, { call, record }) };
      const begin = () =>
        this.#applySteps(
          call.name,
          (provider.remote?.current ?? provider.operations)[call.name] ?? operation,
          input.data,
          place,
        );
      const done = place.plan === null ? begin() : endedOr(begin);
      return andThen(done, (outcome) => {
        if (outcome.ok) return outcome;
        return this.#explained(effects === null ? outcome : effects.of(outcome), input.data, place);
      });
    };
    return ok({ run });
  }

  prepareUndo({ undo, isForced, ...call }: UndoCall): Result<ReadyOperation, Failure> {
    const service = this.#providers.get(call.service);
    const name = ruleNameIn(undo) ?? call.name;
    const usual = service === undefined ? undefined : ruleOf(service, name);
    const local = service?.local?.get(undoName);
    if (service === undefined || (usual === undefined && local === undefined)) {
      return err(failed('invalid_input', `There is no way to take "${call.name}" back.`));
    }
    const run: ReadyOperation['run'] = async (record, send) => {
      const effects = new SentEffects();
      const provider = providerFor(service, record);
      const place = { provider, record, call: { ...call, input: {} }, send, effects, plan: null };
      if (local !== undefined && isTeams(record))
        return undoLocally(local, { undo, isForced }, { ...place, onNoteChange: this.#onNoteChange });
      const rule = ruleOf(provider, name) ?? usual;
      if (rule === undefined) return failed('invalid_input', 'This change was made in another vault.');
      const reverse = await rule.takeBack(undo, this.#callerOf(place), isForced);
      if (!reverse.ok) return reverse.failure;
      const outcome = await reversed(reverse.value, {
        provider,
        onPlanned: call.onPlanned,
        account: accountOf(record),
        read: this.#callerOf(place),
        check: checked,
        run: ({ name, row, inputs }) => this.#applySteps(name, row, inputs, place),
      });
      return outcome.ok ? outcome : effects.of(outcome);
    };
    return ok({ run });
  }

  /** The failure in the words of the caller and the vendor; of a user's call, with what is near to what is missing. */
  #explained(failure: Failure, input: Inputs, place: Place): Awaitable<Failure> {
    const { provider, call } = place;
    const worded = (one: Failure): Failure =>
      vendorNamed(
        atSentNames(one, (provider.remote?.current ?? provider.operations)[call.name]?.options.aliases, call.input),
        provider,
      );
    if (call.isUsers !== true || provider.explainMissing === undefined) return worded(failure);
    const explained = provider.explainMissing({ name: call.name, input, failure }, { call: this.#callerOf(place) });
    return explained.then((better) => worded(better === null ? failure : { ...better, sent: failure.sent }));
  }

  #applySteps(name: string, operation: Operation, input: Inputs, place: Place): Awaitable<Outcome> {
    const local = place.provider.local?.get(name);
    if (local !== undefined && isTeams(place.record)) {
      const { effect } = operation;
      return runLocally({ local, effect, input }, { ...place, onNoteChange: this.#onNoteChange });
    }
    return operation.options.named === undefined
      ? this.#perform(name, operation, input, place)
      : this.#performResolved(name, operation, input, place);
  }

  #perform(name: string, operation: Operation, input: Inputs, place: Place): Awaitable<Outcome> {
    const perform = (): Awaitable<Outcome> =>
      operation.kind === 'recipe' ? this.#runRecipe(operation, input, place) : this.#send(operation, input, place);
    const { plan, provider } = place;
    const isLacking = operation.kind === 'recipe' && operation.lacks !== undefined;
    const rule = plan === null || plan.isDone || isLacking ? undefined : ruleOf(provider, name);
    if (plan === null || rule === undefined) return perform();
    const read = this.#callerOf({ ...place, plan: null });
    return plan.before(input, () => ruledPlan({ name, rule, input }, read)).then(perform);
  }

  /** Performs an operation after resolving the records that its inputs name. */
  async #performResolved(name: string, operation: Operation, input: Inputs, place: Place): Promise<Outcome> {
    const { provider, record } = place;
    const { named = {} } = operation.options;
    const lookUp = { call: this.#callerOf(place), connection: recipeConnectionOf(record), effect: operation.effect };
    const resolved = await provider.resolveNames?.(named, input, lookUp);
    if (resolved?.ok !== true) return resolved ?? this.#perform(name, operation, input, place);
    const { data, warnings = [] } = resolved;
    place.plan?.resolved(input, data);
    const outcome = await this.#perform(name, operation, data, place);
    return warnings.length === 0 ? outcome : withWarnings(outcome, warnings);
  }

  /** Calls other rows of the same provider and connection. */
  #callerOf(place: Place): CallRow {
    return async (name, rowInput) => {
      const row = (place.provider.remote?.current ?? place.provider.operations)[name];
      if (row === undefined) throw new Error(`A recipe calls "${name}", which is no row.`);
      const parsed = checked(row, rowInput);
      return parsed.ok ? this.#applySteps(name, row, parsed.data, place) : parsed;
    };
  }

  #runRecipe(recipe: RecipeRow, input: Inputs, place: Place): Promise<Outcome> {
    const { signal, onProgress } = place.call;
    return recipe.run(this.#callerOf(place), input, {
      connection: recipeConnectionOf(place.record),
      send: async (row, rowInput) => {
        const parsed = checked(row, rowInput);
        return parsed.ok ? this.#send(row, parsed.data, place) : parsed;
      },
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onProgress }),
    });
  }

  #send(row: RequestRow, inputs: Inputs, place: Place): Awaitable<Outcome> {
    const { plan } = place;
    const send = () => this.#sendNow(row, inputs, place);
    if (plan === null || plan.isDone || row.effect === 'read') return send();
    return plan
      .before(inputs, () => unruledPlan(row, inputs, place.provider.remote && nameOf(place.provider)))
      .then(send);
  }

  #sendNow(row: RequestRow, inputs: Inputs, { provider, call, send, effects }: Place): Awaitable<Outcome> {
    const { signal, departure, maxTries, endsAt } = call;
    const bounds = { signal, departure, maxTries, endsAt };
    const request = {
      canBeSentAgain: !carriesStream(row, inputs),
      send: (record: TokenRecord) =>
        provider.remote?.send({ record, row, inputs, call }) ??
        this.#sender.send({ provider, record, row, inputs, ...bounds }),
    };
    const sent = andThen(send(request), (outcome) => {
      effects?.note(row.effect, outcome);
      return outcome;
    });
    const { local, output } = row.options;
    const fields = local?.includes('fields') === true ? inputs['fields'] : undefined;
    return fields === undefined ? sent : andThen(sent, (outcome) => projected(output, outcome, fields));
  }
}

/** A request of a vendor's own, which only this server's own work calls; undefined when there is none of that name. */
function ownRequest(service: Provider | undefined, name: string): Operation | undefined {
  const vendors = service === undefined ? [] : vendorsOf(service);
  return vendors.map(({ requests = {} }) => own(requests, name)).find((request) => request !== undefined);
}

/** The context of one call of an operation, which the rows that it calls share. */
type Place = Readonly<{
  provider: Provider;
  record: TokenRecord;
  call: OperationCall;
  send: (request: OutboundRequest) => Awaitable<Outcome>;
  /** Null for an operation that only reads. */
  effects: SentEffects | null;
  /** Null when nobody asks what is changed before it is. */
  plan: PlanOnce | null;
}>;

function planOf(
  operation: Operation,
  input: Inputs,
  { call: { onPlanned }, record }: Pick<Place, 'call' | 'record'>,
): PlanOnce | null {
  if (onPlanned === undefined || operation.effect === 'read') return null;
  const effect = effectIn(operation, input);
  return effect === 'read' ? null : new PlanOnce(onPlanned, { effect, account: accountOf(record) });
}

function ruleOf({ changes = {} }: Provider, name: string): ChangeRule | undefined {
  return own(changes, name);
}

/** The connection of a token record, as passed to recipes. */
function recipeConnectionOf({ userId, service, updatedAt, extra }: TokenRecord): RecipeConnection {
  return { id: `${userId}:${service}:${updatedAt}`, extra };
}

/** Whether the row's file is a stream, which can be read only once. */
function carriesStream({ options: { multipart } }: RequestRow, inputs: Inputs): boolean {
  return multipart !== undefined && isFileContent(own(inputs, multipart));
}

/** Validates an input against its row's schema; the failure lists every error. */
export function checked(operation: Operation, given: unknown = {}): Outcome<Inputs> {
  const { aliases } = operation.options;
  const named = aliases === undefined ? null : withOwnNames(aliases, given);
  const result = checkInput(operation.input, named === null ? given : named.input, named?.sent);
  const repeated = named?.errors ?? [];
  if (result.ok && repeated.length === 0) return { ok: true, data: result.value };
  return refusedInput([...repeated, ...(result.ok ? [] : result.failure)]);
}
