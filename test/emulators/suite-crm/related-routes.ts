import { own } from '#domain/shared/own.ts';
import { page, sorted } from '#test/emulators/suite-crm/listing.ts';
import { plain, type Stored } from '#test/emulators/suite-crm/query-text.ts';
import {
  type Asked,
  done,
  failing,
  listIn,
  objectOf,
  ok,
  type Reply,
  refusal,
  refused,
  written,
} from '#test/emulators/suite-crm/reply.ts';
import { schema } from '#test/emulators/suite-crm/schema.ts';
import { type CrmState, nameOf, owner, unknownId } from '#test/emulators/suite-crm/state.ts';

type Mail = Readonly<{ parent: string; mail: Stored }>;
type Attached = Readonly<{ parent: string; item: Stored; bytes: Uint8Array; mediaType: string }>;

/** What hangs at a record: related lists, notes, files, e-mails, and the conversion of leads. */
export class RelatedRoutes {
  readonly #state: CrmState;
  readonly #isZoho: boolean;
  readonly #links = new Map<string, Set<string>>();
  readonly #attached = new Map<string, Attached>();
  readonly #mails: Mail[] = [];

  constructor(state: CrmState, isZoho: boolean) {
    this.#state = state;
    this.#isZoho = isZoho;
  }

  /** The records of the list's module that look up to this one, and those that were linked. */
  list(asked: Asked): Reply {
    const { module = '', id = '', related_list: list = '' } = asked.params;
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    if (!this.#state.isModule(list)) {
      return failing(
        refusal('INVALID_DATA', 'the related list name given seems to be invalid', { related_list: list }),
      );
    }
    const lookups = (own(schema, list) ?? []).filter(({ lookup }) => lookup === module).map(({ api_name }) => api_name);
    const linked = this.#links.get(`${module}/${id}/${list}`);
    const items = this.#state
      .all(list)
      .filter((item) => linked?.has(String(item['id'])) === true || lookups.some((field) => plain(item[field]) === id));
    return this.#page(items, asked);
  }

  link({ params: { module = '', id = '', related_list: list = '', rid = '' } }: Asked): Reply {
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    if (this.#state.find(list, rid) === null) return written('data', [refused(unknownId(rid))], 200);
    const key = `${module}/${id}/${list}`;
    this.#links.set(key, new Set([...(this.#links.get(key) ?? []), rid]));
    return written('data', [done('relation added', { id: rid })], 200);
  }

  unlink({ params: { module = '', id = '', related_list: list = '', rid = '' } }: Asked): Reply {
    const isRemoved = this.#links.get(`${module}/${id}/${list}`)?.delete(rid) === true;
    return written('data', [isRemoved ? done('relation removed', { id: rid }) : refused(unknownId(rid))], 200);
  }

  addNotes({ body }: Asked): Reply {
    const notes = listIn(body, 'data');
    if (notes === null)
      return failing(refusal('MANDATORY_NOT_FOUND', 'required field not found', { api_name: 'data' }));
    const outcomes = this.#state.batch(notes, (note) => {
      const parent = objectOf(note['Parent_Id']);
      const module = plain(objectOf(parent?.['module'])?.['api_name']);
      const id = plain(parent?.['id']);
      if (this.#state.find(module, id) === null) return refused(unknownId(id));
      return this.#state.create('Notes', note);
    });
    return written('data', outcomes, 201);
  }

  notes(asked: Asked): Reply {
    const { module = '', id = '' } = asked.params;
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    return this.#page(
      this.#state.all('Notes').filter((note) => plain(note['Parent_Id']) === id),
      asked,
    );
  }

  async attach(asked: Asked): Promise<Reply> {
    const { module = '', id = '' } = asked.params;
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    const type = asked.headers['content-type'] ?? '';
    const form = await new Response(Buffer.from(asked.bytes), { headers: { 'content-type': type } })
      .formData()
      .catch(() => null);
    const file = form?.get('file');
    if (!(file instanceof File)) {
      return failing(
        refusal('REQUIRED_PARAM_MISSING', 'One of the expected parameter is missing', { param_name: 'file' }),
      );
    }
    const item = {
      id: this.#state.id(),
      File_Name: file.name,
      Size: String(file.size),
      Owner: owner,
      Created_Time: this.#state.clock.iso(),
    };
    const bytes = new Uint8Array(await file.arrayBuffer());
    this.#attached.set(item.id, { parent: id, item, bytes, mediaType: file.type });
    return written(
      'data',
      [done('attachment uploaded successfully', { id: item.id, Created_Time: item.Created_Time })],
      200,
    );
  }

  attachments(asked: Asked): Reply {
    const { module = '', id = '' } = asked.params;
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    return this.#page(
      [...this.#attached.values()].filter(({ parent }) => parent === id).map(({ item }) => item),
      asked,
    );
  }

  download({ params: { attachment_id: id = '' } }: Asked): Reply {
    const found = this.#attached.get(id);
    if (found === undefined) return failing(unknownId(id), 404);
    const headers = {
      'content-type': found.mediaType || 'application/octet-stream',
      'content-length': String(found.bytes.byteLength),
      'content-disposition': `attachment;filename="${plain(found.item['File_Name'])}"`,
    };
    return { status: 200, headers, stream: chunks(found.bytes) };
  }

  sendMail({ params: { module = '', id = '' }, body }: Asked): Reply {
    const mail = listIn(body, 'data')?.[0];
    if (this.#state.find(module, id) === null) return failing(unknownId(id));
    const from = plain(objectOf(mail?.['from'])?.['email']);
    if (mail === undefined || from !== owner.email) {
      const details = { api_name: 'email', json_path: '$.data[0].from.email' };
      return written('data', [refused(refusal('INVALID_DATA', 'the from address is not one of yours', details))], 200);
    }
    const message_id = this.#state.id();
    this.#mails.push({
      parent: id,
      mail: { message_id, subject: mail['subject'] ?? null, to: mail['to'], from: mail['from'] },
    });
    return written('data', [done('your mail has been sent successfully', { message_id })], 200);
  }

  /** E-mails are paged by an index in the provider's own words; ten to a page. */
  mails(asked: Asked): Reply {
    const all = this.#mails.filter(({ parent }) => parent === asked.params['id']).map(({ mail }) => mail);
    const at = Number(asked.query.get('index') ?? 0) || (Number(asked.query.get('page') ?? 1) - 1) * 10;
    const found = all.slice(at, at + 10);
    if (found.length === 0) return { status: 204 };
    const more = all.length > at + 10;
    const info = { count: found.length, per_page: 10, more_records: more };
    const place = this.#isZoho ? { next_index: more ? String(at + 10) : '', prev_index: '' } : { page: at / 10 + 1 };
    return ok({ Emails: found, info: { ...info, ...place } });
  }

  convert({ params: { id = '' }, body }: Asked): Reply {
    const lead = this.#state.find('Leads', id);
    if (lead === null) return failing(unknownId(id));
    if (lead['$converted'] === true) return failing(refusal('ID_ALREADY_CONVERTED', 'id already converted', { id }));
    const company = plain(lead['Company']);
    const account =
      company === '' ? null : this.#made('Accounts', { Account_Name: company, Phone: lead['Phone'] ?? null });
    const { First_Name = null, Last_Name, Email = null, Phone = null } = lead;
    const contact = this.#made('Contacts', { First_Name, Last_Name, Email, Phone, Account_Name: account });
    const wanted = objectOf(listIn(body, 'data')?.[0]?.['Deals']);
    const deal =
      wanted === null ? null : this.#made('Deals', { ...wanted, Account_Name: account, Contact_Name: contact });
    this.#state.update('Leads', id, { $converted: true });
    return written(
      'data',
      [done('The record has been converted successfully', { Contacts: contact, Accounts: account, Deals: deal })],
      200,
    );
  }

  #made(module: string, fields: Stored): Readonly<{ id: string; name: string }> | null {
    const { details } = this.#state.create(module, fields);
    const record = this.#state.find(module, plain(objectOf(details)?.['id']));
    return record === null ? null : { id: String(record['id']), name: nameOf(record) };
  }

  #page(items: readonly Stored[], asked: Asked): Reply {
    const words = { isZoho: this.#isZoho, now: () => this.#state.clock.now(), demandsFields: true };
    return page(sorted(items, asked.query), asked, words);
  }
}

async function* chunks(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
