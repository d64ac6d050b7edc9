import type { GuidedSetting, ServiceSetup, SetupFinding, SetupGuide } from '#adapters/contracts/setup-guides.ts';
import { iconOf } from '#adapters/http/answers/glyphs.ts';
import { inlineParts } from '#adapters/http/answers/inline-text.ts';
import { shownTime } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import type { ShownSetting } from '#adapters/http/setup/entered-settings.ts';
import { shownChoice } from '#adapters/http/setup/vendor-choices.ts';
import type { SignInWays } from '#adapters/http/sign-in/sign-in-ways.ts';
import { awaitsRestart } from '#application/setup/vendor-choice.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { own } from '#domain/shared/own.ts';
import { listed } from '#domain/text/listed.ts';

/** Whether a setting is set as its guide asks: the dialect counts only with the guide's value. */
function isGiven({ name, value }: GuidedSetting, { given, dialects }: ServiceSetup): boolean {
  return given.has(name) && (value === null || dialects.includes(value) || value === dialects.join(','));
}

/** The guide of the configured dialect. */
function currentGuide(setup: ServiceSetup): SetupGuide | undefined {
  return setup.guides.find(({ dialect }) => dialect === setup.dialect);
}

/** Builds the values of the page /setup: each service and how far it is configured. */
export function setupPage(setups: readonly ServiceSetup[], names: ServiceNames) {
  return { services: setups.map((setup) => ({ ...setupStatus(setup), ...linked(setup, names) })) };
}

function linked({ service, guides }: ServiceSetup, names: ServiceNames) {
  const vendors = guides.flatMap(({ vendor }) => vendor ?? []);
  return { name: names.of(service), mark: iconOf(names.presenceOf(service).icon), href: `/setup/${service}`, vendors };
}

/** How far a service is configured, as a label and a sentence. */
function setupStatus(setup: ServiceSetup) {
  const guide = currentGuide(setup);
  if (awaitsRestart(setup.choice)) {
    const sentence = 'Its vendors were changed here, and are used once each server was restarted.';
    return { label: 'Restart needed', kind: 'warn', sentence, verb: 'Open', isOpen: true };
  }
  const missing = (need: GuidedSetting['need']): readonly string[] =>
    (guide?.settings ?? []).filter((one) => one.need === need && !isGiven(one, setup)).map(({ name }) => name);
  const [speech, oauth, deliveries] = [missing('speech'), missing('oauth'), missing('deliveries')];
  if (speech.length > 0) {
    const vendors = setup.guides.flatMap(({ vendor }) => vendor ?? []);
    const sentence = vendors.length === 0 ? `${listed(speech)} is missing.` : `For ${vendors.join(', ')} and others.`;
    return { label: 'Not set up', kind: 'plain', sentence, verb: 'Set up', isOpen: true };
  }
  const open = [...(oauth.length > 0 ? ['connecting by OAuth'] : []), ...(deliveries.length > 0 ? ['webhooks'] : [])];
  if (open.length === 0) {
    return { label: 'Ready', kind: 'good', sentence: 'Nothing is missing.', verb: 'Open', isOpen: false };
  }
  const sentence = `Not set up yet: ${open.join(', and ')}.`;
  return { label: 'Partly set up', kind: 'warn', sentence, verb: 'Open', isOpen: false };
}

/** What a service's page shows besides its guide; `findings` are set after a check. */
type SetupPageParts = Readonly<{
  baseUrl: string;
  hidden: readonly (readonly [string, string])[];
  findings: readonly SetupFinding[] | null;
  /** What can be entered for the service, and what is. */
  settings: readonly ShownSetting[];
  /** Whether the reader signed in recently enough to enter anything. */
  isRecent: boolean;
  envFile: string;
  ways: SignInWays;
  timeZone: string | null;
  notice: Readonly<{ kind: string; text: string }> | null;
}>;

/** Builds the values of a service's page, for one of its vendors. */
export function setupServicePage(
  setup: ServiceSetup,
  guide: SetupGuide,
  { baseUrl, hidden, findings, settings, isRecent, envFile, ways, timeZone, notice }: SetupPageParts,
) {
  const { service } = setup;
  const enterable = settings.filter(({ vendor }) => vendor === guide.dialect);
  const query = guide.dialect === setup.dialect ? '' : `?vendor=${guide.dialect}`;
  const choice = shownChoice(setup, guide.dialect);
  const isChosen = (name: string) => name === choice?.variable && choice.isUsed;
  const isEntered = (name: string) => enterable.some((one) => one.variable === name && one.setAt !== null);
  const open = guide.settings.filter(
    (one) => one.need !== 'optional' && !isGiven(one, setup) && !isChosen(one.name) && !isEntered(one.name),
  );
  const lines = open.map(({ name, value }) => `${name}=${value ?? ''}`).join('\n');
  return {
    service,
    title: guide.vendor === null ? guide.title : `${guide.title}: ${guide.vendor}`,
    lead:
      guide.vendor === null
        ? 'For a provider that implements this server’s own interface.'
        : `What to do at ${guide.vendor} and what to set here.`,
    tabs: setup.guides.map(({ dialect, vendor }) => ({
      text: vendor ?? 'Another provider',
      href: `/setup/${service}?vendor=${dialect}`,
      isCurrent: dialect === guide.dialect,
    })),
    app: stepsOf(guide.app),
    key: stepsOf(guide.key),
    deliveries: stepsOf(guide.deliveries),
    callback: `${baseUrl}/connect/${service}/callback`,
    webhook: `${baseUrl}/webhooks/${service}`,
    settings: guide.settings.map((one) => ({
      name: one.name,
      parts: inlineParts(one.text),
      needs: needTexts[one.need],
      ...(isChosen(one.name) ? set : stateOf(one, setup, isEntered(one.name))),
      ...enteredIn(enterable, one.name, timeZone),
    })),
    vendor: guide.dialect,
    choice,
    fields: enterable.map((one) => fieldOf(one, guide)),
    removable: enterable
      .filter(({ setAt }) => setAt !== null)
      .map((one) => ({ name: one.name, text: labelOf(one.name) })),
    isRecent,
    envFile,
    ways,
    notice,
    lines: lines === '' ? null : lines,
    query,
    hidden,
    findings: findings === null ? null : shownFindings(findings),
  };
}

/** How a setting was set, where it can be entered; the environment wins. */
function enteredIn(enterable: readonly ShownSetting[], variable: string, timeZone: string | null) {
  const found = enterable.find((one) => one.variable === variable);
  const entered = found === undefined || found.setAt === null ? null : { at: shownTime(found.setAt, timeZone) };
  const by = found?.setBy?.email ?? 'a user who was deleted';
  return {
    entered: entered === null ? null : { ...entered, by, isUsed: found?.source === 'entered' },
    isFromEnvironment: found?.source === 'environment',
  };
}

const labels: Readonly<Record<string, string>> = {
  client_id: 'Client id',
  client_secret: 'Client secret',
  scopes: 'Scopes',
  webhook_secret: 'Webhook secret',
};

/** What a setting is called on the page. */
function labelOf(name: string): string {
  const words = name.replaceAll('_', ' ');
  return own(labels, name) ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/** A field of the form; its value is never shown. */
function fieldOf({ name, variable, source }: ShownSetting, guide: SetupGuide) {
  const guided = guide.settings.find((one) => one.name === variable);
  return {
    name,
    label: labelOf(name),
    hint: inlineParts(guided?.text ?? ''),
    isSecret: name.endsWith('_secret'),
    isSet: source !== null,
    isFromEnvironment: source === 'environment',
    variable,
  };
}

const needTexts = {
  speech: 'Needed.',
  oauth: 'Needed to connect by OAuth.',
  deliveries: 'Needed for webhooks.',
  optional: null,
} as const;

function stepsOf(steps: readonly string[] | null) {
  return steps?.map(inlineParts) ?? null;
}

const set = { label: 'Set', kind: 'good' };

function stateOf(setting: GuidedSetting, setup: ServiceSetup, isEntered: boolean) {
  if (isEntered || isGiven(setting, setup)) return set;
  if (setting.need !== 'optional') return { label: 'Missing', kind: 'warn' };
  return { label: 'Not set', kind: 'plain' };
}

const marks = {
  '✓': { label: 'Good', kind: 'good' },
  '!': { label: 'Look', kind: 'warn' },
  '✗': { label: 'Wrong', kind: 'bad' },
} as const;

function shownFindings(findings: readonly SetupFinding[]) {
  const count = (mark: SetupFinding['mark']): number => findings.filter((one) => one.mark === mark).length;
  const [wrong, open] = [count('✗'), count('!')];
  const lines = findings.map(({ mark, what, next }) => ({
    ...marks[mark],
    what: shownText(what, 500),
    next: next === null ? null : shownText(next, 500),
  }));
  if (wrong > 0) return { lines, kind: 'bad', text: 'Something does not work yet.' };
  if (open > 0) return { lines, kind: 'warn', text: 'What is set works; some settings are missing.' };
  return { lines, kind: 'good', text: 'Everything works.' };
}
