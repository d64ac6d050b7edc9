/** The maximum size of a note that is parsed and searched, in bytes; larger ones are only read and written whole. */
export const maxNote = 4 * 1024 * 1024;

/** The maximum size of a list response, in bytes, so that serialising it is quick. */
export const maxListAnswer = 4 * 1024 * 1024;
