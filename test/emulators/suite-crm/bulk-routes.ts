import { plain, type Stored } from '#test/emulators/suite-crm/query-text.ts';
import {
  type Asked,
  done,
  failing,
  objectOf,
  ok,
  type Reply,
  refusal,
  written,
} from '#test/emulators/suite-crm/reply.ts';
import { type CrmState, owner } from '#test/emulators/suite-crm/state.ts';
import { zipped } from '#test/emulators/suite-crm/zip-file.ts';

const maxRecords = 200_000;
const states = ['ADDED', 'IN PROGRESS', 'COMPLETED'] as const;

type Job = { id: string; module: string; fields: readonly string[]; page: number; looks: number; query: unknown };

/** Export jobs: each look at one takes it a step on, and its result is CSV, in an archive in the provider's own words. */
export class BulkRoutes {
  readonly #state: CrmState;
  readonly #isZoho: boolean;
  readonly #jobs = new Map<string, Job>();
  readonly #pretended = new Map<string, number>();

  constructor(state: CrmState, isZoho: boolean) {
    this.#state = state;
    this.#isZoho = isZoho;
  }

  /** Exports of the module have that many records more, which are made while they are read and stand nowhere. */
  pretend(module: string, count: number): void {
    this.#pretended.set(module, count);
  }

  create({ body }: Asked): Reply {
    const query = objectOf(objectOf(body)?.['query']);
    const module = plain(objectOf(query?.['module'])?.['api_name']);
    if (!this.#state.isModule(module)) {
      return failing(refusal('INVALID_MODULE', 'the module name given seems to be invalid', { api_name: 'module' }));
    }
    const asked = query?.['fields'];
    const fields =
      Array.isArray(asked) && asked.length > 0 ? asked.map(String) : ['id', 'Created_Time', 'Modified_Time'];
    const id = this.#state.id();
    const page = Number(query?.['page'] ?? 1);
    this.#jobs.set(id, { id, module, fields, page, looks: 0, query });
    const details = { id, operation: 'read', state: 'ADDED', created_by: owner, created_time: this.#state.clock.iso() };
    return written('data', [done('Added successfully.', details, 'ADDED_SUCCESSFULLY')], 201);
  }

  get({ params: { job_id: id = '' } }: Asked): Reply {
    const job = this.#jobs.get(id);
    if (job === undefined) return unknownJob(id);
    const state = states[Math.min(job.looks, states.length - 1)];
    job.looks += 1;
    const count = Math.min(maxRecords, this.#countOf(job.module) - (job.page - 1) * maxRecords);
    const result = {
      page: job.page,
      per_page: maxRecords,
      count,
      download_url: `/crm/bulk/v8/read/${id}/result`,
      more_records: this.#countOf(job.module) > job.page * maxRecords,
    };
    const status = { id, operation: 'read', state, query: job.query, created_by: owner };
    return ok({ data: [state === 'COMPLETED' ? { ...status, result } : status] });
  }

  result({ params: { job_id: id = '' } }: Asked): Reply {
    const job = this.#jobs.get(id);
    if (job === undefined || job.looks < states.length) return unknownJob(id);
    const csv = this.#csv(job);
    return this.#isZoho
      ? {
          status: 200,
          headers: { 'content-type': 'application/zip', 'content-disposition': `attachment;filename="${id}.zip"` },
          stream: zipped(`${id}.csv`, csv),
        }
      : {
          status: 200,
          headers: { 'content-type': 'text/csv', 'content-disposition': `attachment;filename="${id}.csv"` },
          stream: csv,
        };
  }

  #countOf(module: string): number {
    return this.#state.all(module).length + (this.#pretended.get(module) ?? 0);
  }

  /** The job's page of 200,000 records, a few thousand lines at a time. */
  async *#csv({ module, fields, page }: Job): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${fields.join(',')}\n`);
    const real = this.#state.all(module);
    const first = (page - 1) * maxRecords;
    const end = Math.min(this.#countOf(module), first + maxRecords);
    let lines: string[] = [];
    for (let at = first; at < end; at += 1) {
      const record = real[at] ?? pretended(module, at);
      lines.push(fields.map((field) => quoted(plain(record[field]))).join(','));
      if (lines.length < 2_000 && at < end - 1) continue;
      yield Buffer.from(`${lines.join('\n')}\n`);
      lines = [];
    }
  }
}

function pretended(module: string, at: number): Stored {
  return {
    id: String(6_000_000_000_000_000 + at),
    Last_Name: `${module}, ${at}`,
    Created_Time: '2026-01-01T00:00:00+00:00',
  };
}

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function unknownJob(id: string): Reply {
  return failing(refusal('RESOURCE_NOT_FOUND', 'The requested resource does not exist.', { resource: id }), 404);
}
