/** What the forms on /page are for, as the guard of forms knows them. */
export const connectionForms = { save: 'save', disconnect: 'disconnect', connect: 'connect', test: 'test' } as const;
