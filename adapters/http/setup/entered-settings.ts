import { z } from 'zod';
import type { EnterableSetting, ServiceSetup } from '#adapters/contracts/setup-guides.ts';
import type { Users } from '#application/ports/users.ts';
import type { EnteredBy, ProviderSettings } from '#application/setup/provider-settings.ts';

/** Where a setting's value comes from: the environment wins over what was entered; null when it has none. */
type SettingSource = 'environment' | 'entered' | null;

/** A setting as pages and JSON show it: never its value. `setBy` and `setAt` (Unix ms) are of what was entered. */
export type ShownSetting = Readonly<{
  vendor: string;
  name: string;
  variable: string;
  source: SettingSource;
  setBy: Readonly<{ id: number; email: string | null }> | null;
  setAt: number | null;
}>;

/** Lists what can be entered for a service, by vendor, and what is. */
export async function shownSettings(
  { service, enterable }: ServiceSetup,
  entered: ProviderSettings['entered'],
  users: Pick<Users, 'find'>,
): Promise<readonly ShownSetting[]> {
  const all = Object.entries(enterable).flatMap(([vendor, settings]) =>
    settings.map((setting) => ({
      vendor,
      setting,
      found: entered.find((one) => one.service === service && one.vendor === vendor && one.name === setting.name),
    })),
  );
  return Promise.all(
    all.map(async ({ vendor, setting: { name, variable, isFromEnvironment }, found }) => ({
      vendor,
      name,
      variable,
      source: isFromEnvironment ? 'environment' : found === undefined ? null : 'entered',
      setBy: found === undefined ? null : await personOf(found, users),
      setAt: found?.at ?? null,
    })),
  );
}

async function personOf({ userId }: EnteredBy, users: Pick<Users, 'find'>) {
  return { id: userId, email: (await users.find(userId))?.email ?? null };
}

/** The same as JSON. */
export function settingAsJson({ setBy, setAt, ...setting }: ShownSetting) {
  return { ...setting, set_by: setBy, set_at: setAt };
}

/** The schema of what is entered for a vendor, by name; its errors quote no value. */
export function enteredSchema(enterable: readonly EnterableSetting[]) {
  const values = enterable.map(({ name, errorIn }) => {
    const value = z
      .string({ error: 'must be a text' })
      .transform((text) => text.trim())
      .superRefine((text, context) => {
        const message = errorIn(text);
        if (message !== null) context.addIssue({ code: 'custom', message });
      });
    return [name, value.optional()] as const;
  });
  return z.strictObject(Object.fromEntries(values));
}

/** The values that were given, by name. */
export function givenValues(values: Readonly<Record<string, string | undefined>>): ReadonlyMap<string, string> {
  return new Map(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
