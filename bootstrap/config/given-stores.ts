import type { Stores } from '#adapters/contracts/stores.ts';
import { hintAt } from '#bootstrap/config/check-config.ts';
import type { PortolanConfig, StoresContext } from '#bootstrap/config/portolan-config.ts';
import { ConfigError } from '#bootstrap/start/first-start.ts';
import { methodsOf, storeNames } from '#bootstrap/stores/store-methods.ts';
import { isObject } from '#domain/json/json-data.ts';
import { messageOf } from '#domain/shared/error-text.ts';

/** Creates the configuration's stores and validates their names and methods. Throws `ConfigError`. */
export async function givenStores(
  make: PortolanConfig['stores'] | null,
  context: StoresContext,
): Promise<Partial<Stores>> {
  if (make === null || make === undefined) return {};
  const given = await made(make, context);
  for (const [name, store] of Object.entries(given)) checkStore(name, store);
  return Object.fromEntries(Object.entries(given).filter(([, store]) => store !== undefined));
}

async function made(make: NonNullable<PortolanConfig['stores']>, context: StoresContext): Promise<Partial<Stores>> {
  try {
    const given: unknown = await make(context);
    if (isObject(given)) return given;
  } catch (error) {
    throw new ConfigError(`The configuration's stores could not be opened: ${messageOf(error)}`);
  }
  throw new ConfigError('stores: the function returns an object of stores, such as { users: new FileUsers(dataDir) }.');
}

function checkStore(name: string, store: unknown): void {
  if (!storeNames.includes(name)) {
    throw new ConfigError(`stores.${name}: there is no store of this name.${hintAt(name, storeNames)}`);
  }
  if (store === undefined) return;
  const lacking = methodsOf(name).filter((method) => !isMethod(store, method));
  if (lacking.length === 0) return;
  throw new ConfigError(
    `stores.${name}: missing methods: ${lacking.join(', ')}; this store needs ${methodsOf(name).join(', ')}.`,
  );
}

function isMethod(store: unknown, name: string): boolean {
  return isObject(store) && typeof Reflect.get(store, name) === 'function';
}
