import { type Json, jsonOr, textOrNull, valueAt } from '#adapters/services/from-openapi/json.ts';
import { isObject } from '#domain/json/json-data.ts';

/** The maximum length of a chain of references. */
const maxHops = 20;

/**
 * An OpenAPI 3.0 or 3.1 document. References are resolved on demand, so that the cost of a large document depends on
 * what is used: GitHub's with all references expanded is six times its own size.
 */
export class OpenApiDocument {
  readonly root: Json;
  readonly title: string;

  /** Throws for anything that is not an OpenAPI 3 document. */
  constructor(given: unknown) {
    if (!isObject(given)) {
      throw new Error('fromOpenApi: the document is no object. Parse its JSON or YAML first, such as with JSON.parse.');
    }
    this.root = given;
    this.title = textOrNull(valueAt(given, ['info', 'title'])) ?? 'without a title';
    const version = textOrNull(given['openapi']);
    if (version === null && textOrNull(given['swagger']) !== null) {
      throw this.fault(['swagger'], `is ${String(given['swagger'])}; convert the document to OpenAPI 3 first`);
    }
    if (version === null || !/^3\.[012]\.\d/.test(version)) {
      throw this.fault(['openapi'], `is ${JSON.stringify(version)}; it must be a version 3, such as "3.1.0"`);
    }
    if (!isObject(given['paths'])) throw this.fault(['paths'], 'is missing; the operations stand there');
  }

  /** Creates the error for a fault at a place in the document; `sentence` continues after the place. */
  fault(place: readonly string[], sentence: string): Error {
    return new Error(`The OpenAPI document "${this.title}": ${pointer(place)} ${sentence}.`);
  }

  /**
   * Returns the object at a place with local references resolved; members beside a reference take precedence. Throws
   * for a reference to another file, to nothing, or in a cycle.
   */
  resolved(value: unknown, place: readonly string[]): Json {
    let here = jsonOr(value);
    for (let hops = 0; typeof here['$ref'] === 'string'; hops += 1) {
      const { $ref, ...beside } = here;
      if (hops === maxHops) throw this.fault(place, `has a $ref that leads in a circle (${$ref})`);
      here = { ...this.#target($ref, place), ...beside };
    }
    return here;
  }

  #target(reference: string, place: readonly string[]): Json {
    if (!reference.startsWith('#')) {
      throw this.fault(place, `has a $ref to another document (${reference}); bundle the documents into one first`);
    }
    const target = valueAt(this.root, reference.split('/').slice(1).map(unescaped));
    if (!isObject(target)) throw this.fault(place, `has a $ref to ${reference}, where there is no object`);
    return target;
  }
}

/** Decodes a segment of a JSON pointer in a URI fragment (RFC 6901 §6). */
function unescaped(step: string): string {
  const plain = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Formats a place for people: `paths./trips.get.parameters[2]`. */
function pointer(place: readonly string[]): string {
  return place.map((step, index) => (/^\d+$/.test(step) ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`)).join('');
}
