import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { genuine, seeOther } from '#adapters/http/people/person-forms.ts';
import { checkedBody } from '#adapters/http/requests/checked-input.ts';
import { formFields } from '#adapters/http/requests/form-fields.ts';
import type { FormGuard } from '#adapters/http/requests/form-guard.ts';
import type { Route, RouteContext } from '#adapters/http/route.ts';
import {
  type ApprovalFloors,
  type AskedEffect,
  askedEffects,
  type Floor,
} from '#application/approvals/approval-floors.ts';
import type { NoteAct } from '#application/audit/audit.ts';
import { unknownValue } from '#domain/operations/input-error.ts';
import { invalidInput } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';

type FloorRoutesDependencies = Readonly<{
  floors: Pick<ApprovalFloors, 'floor' | 'replace'>;
  names: ServiceNames;
  formGuard: FormGuard;
  note: NoteAct;
}>;

/** The purpose of the form's token. */
export const floorPurpose = 'approval-floor';

const floorSchema = z.record(z.string(), z.array(z.enum(askedEffects)));
const givenSchema = z.strictObject({ floor: floorSchema });

/** Reads a stored floor; what it cannot read counts as nothing. */
export function readFloor(stored: string): Floor {
  const parsed = z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(floorSchema)
    .safeParse(stored);
  return parsed.success ? parsed.data : {};
}

const effectTexts: Readonly<Record<AskedEffect, string>> = {
  add: 'Adding',
  change: 'Changing',
  lose: 'Deleting or overwriting',
  reach: 'Sending to others',
};

/** The checkboxes of the floor on the page /setup, by service. */
export function floorRows(floor: Floor, names: ServiceNames) {
  return names.keys.map((service) => ({
    service,
    name: names.of(service),
    effects: askedEffects.map((effect) => ({
      value: `${service}:${effect}`,
      id: `${service}-${effect}`,
      text: effectTexts[effect],
      isOn: floor[service]?.includes(effect) === true,
    })),
  }));
}

/** Serves what administrators have every app ask first: the form on /setup, and the same as JSON (ASK-017). */
export function floorRoutes({ floors, names, formGuard, note }: FloorRoutesDependencies): readonly Route[] {
  const set = async (ctx: RouteContext, floor: Floor): Promise<void> => {
    await floors.replace(floor);
    await note({ action: 'approval_floor.changed', by: userOf(ctx).id, detail: floorText(floor) });
  };
  const keep = async (ctx: RouteContext): Promise<void> => {
    const on = formFields(ctx).getAll('on');
    const entries = names.keys.map(
      (service) => [service, askedEffects.filter((effect) => on.includes(`${service}:${effect}`))] as const,
    );
    await set(ctx, Object.fromEntries(entries.filter(([, effects]) => effects.length > 0)));
    seeOther(ctx, '/setup');
  };
  const list = async (ctx: RouteContext): Promise<void> => {
    ctx.body = { floor: floors.floor };
  };
  const replace = async (ctx: RouteContext): Promise<void> => {
    const given = checkedBody(ctx, givenSchema);
    if (!given.ok) return sendFailure(ctx, given.failure);
    const unknown = Object.keys(given.value.floor).filter((service) => !names.keys.includes(service));
    if (unknown.length > 0) {
      const errors = unknown.map((one) => unknownValue(['floor'], { title: 'service', given: one, known: names.keys }));
      return sendFailure(ctx, invalidInput(errors));
    }
    await set(ctx, given.value.floor);
    ctx.body = { floor: floors.floor };
  };
  const ours = { who: 'person', permission: 'administrator' } as const;
  return [
    { ...ours, method: 'POST', path: '/setup/approvals', body: 'form', run: genuine(formGuard, floorPurpose, keep) },
    { ...ours, method: 'GET', path: '/api/approval-floor', body: 'none', run: list },
    { ...ours, method: 'PUT', path: '/api/approval-floor', body: 'json', run: replace },
  ];
}

/** The floor in a line: 'tracker: lose, reach'; 'nothing' when nothing is asked first. */
function floorText(floor: Floor): string {
  const parts = Object.entries(floor).map(([service, effects]) => `${service}: ${effects.join(', ')}`);
  return parts.length === 0 ? 'nothing' : parts.join('; ');
}
