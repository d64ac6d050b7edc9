import type { EnteredSetting } from '#application/ports/entered-settings.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Where the vendors that an administrator chose for a service stand among what was entered. */
const place = { vendor: '', name: 'vendors' } as const;

/** The vendors that serve a service, by their dialects; the first one first. */
export type VendorChoice = Readonly<{
  /** Those that this server was started with. */
  running: readonly string[];
  /** Those that a server starts with from now on. */
  next: readonly string[];
  /** Those that stay when another one is chosen. */
  kept: readonly string[];
  /** All that can be chosen. */
  offered: readonly string[];
  isFromEnvironment: boolean;
}>;

/** Whether another choice is used from the next start on. */
export function awaitsRestart({ running, next }: VendorChoice): boolean {
  return running.join() !== next.join();
}

/** The vendors after one was chosen or given up; the order of the others stays. */
export function withVendor({ next, kept }: VendorChoice, vendor: string, isUsed: boolean): readonly string[] {
  if (!isUsed) return next.filter((one) => one !== vendor);
  return next.includes(vendor) ? next : [...kept, vendor];
}

/** The vendors that an administrator chose for a service; none when nobody chose any. */
export function chosenFor(service: ServiceKey, entered: readonly EnteredSetting[]): readonly string[] {
  const found = entered.find((one) => one.service === service && isChoice(one));
  return found?.value.split(',') ?? [];
}

/** What is stored of a choice. */
export function storedChoice(vendors: readonly string[]) {
  return { ...place, value: vendors.join() };
}

/** Whether an entered setting is such a choice. */
export function isChoice({ vendor, name }: Pick<EnteredSetting, 'vendor' | 'name'>): boolean {
  return vendor === place.vendor && name === place.name;
}
