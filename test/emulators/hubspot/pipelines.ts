import { z } from 'zod';
import { invalid } from '#test/emulators/hubspot/answers.ts';
import { type EmulatorRoute, jsonBody } from '#test/emulators/sales-crm/request.ts';

const stage = z.strictObject({
  label: z.string(),
  displayOrder: z.int(),
  metadata: z.strictObject({ probability: z.string() }),
});
const pipeline = z.strictObject({ label: z.string(), displayOrder: z.int(), stages: z.array(stage) });

type Stage = z.output<typeof stage> & Readonly<{ id: string }>;
type Pipeline = Readonly<{ id: string; label: string; displayOrder: number; stages: Stage[] }>;

const at = (id: string, label: string, displayOrder: number, probability: string): Stage => ({
  id,
  label,
  displayOrder,
  metadata: { probability },
});

/** The pipelines of deals: the one that every account has, and one whose stages have numbers. */
export class EmulatedPipelines {
  readonly #pipelines: Pipeline[] = [
    {
      id: 'default',
      label: 'Sales Pipeline',
      displayOrder: 0,
      stages: [
        at('closedwon', 'Closed Won', 3, '1.0'),
        at('appointmentscheduled', 'Appointment Scheduled', 0, '0.2'),
        at('contractsent', 'Contract Sent', 2, '0.9'),
        at('qualifiedtobuy', 'Qualified To Buy', 1, '0.4'),
        at('closedlost', 'Closed Lost', 4, '0.0'),
      ],
    },
    {
      id: '7001',
      label: 'Partners',
      displayOrder: 1,
      stages: [at('7002', 'First talk', 0, '0.1'), at('7003', 'Signed', 1, '1.0')],
    },
  ];
  #nextId = 8_000;

  /** Whether a pipeline, or any when none is named, has the stage. */
  has(stageId: string, pipelineId: string | undefined): boolean {
    return this.#pipelines.some(
      ({ id, stages }) => (pipelineId === undefined || pipelineId === id) && stages.some((one) => one.id === stageId),
    );
  }

  routes(): readonly EmulatorRoute[] {
    const path = '/crm/pipelines/2026-03/deals';
    return [
      { method: 'GET', path, answer: () => ({ status: 200, body: { results: this.#pipelines.map(shown) } }) },
      {
        method: 'POST',
        path,
        answer: (request) => {
          const given = pipeline.safeParse(jsonBody(request));
          if (!given.success) return invalid('Invalid input JSON');
          const { label, stages } = given.data;
          const displayOrder = this.#pipelines.length;
          const made = {
            id: this.#id(),
            label,
            displayOrder,
            stages: stages.map((one) => ({ ...one, id: this.#id() })),
          };
          this.#pipelines.push(made);
          return { status: 201, body: shown(made) };
        },
      },
      {
        method: 'POST',
        path: `${path}/{pipeline}/stages`,
        answer: (request, { pipeline: wanted }) => {
          const given = stage.safeParse(jsonBody(request));
          const home = this.#pipelines.find(({ id }) => id === wanted);
          if (!given.success || home === undefined) return invalid('Invalid input JSON');
          const made = { ...given.data, id: this.#id() };
          home.stages.push(made);
          return { status: 201, body: shownStage(made) };
        },
      },
    ];
  }

  #id(): string {
    this.#nextId += 1;
    return String(this.#nextId);
  }
}

const stamps = { createdAt: '1970-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z', archived: false };

function shown({ stages, ...one }: Pipeline) {
  return { ...one, ...stamps, stages: stages.map(shownStage) };
}

function shownStage({ metadata: { probability }, ...one }: Stage) {
  const isClosed = String(['0.0', '1.0'].includes(probability));
  return { ...one, ...stamps, metadata: { isClosed, probability }, writePermissions: 'CRM_PERMISSIONS_ENFORCEMENT' };
}
