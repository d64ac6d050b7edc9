/** The purposes of the forms on /page, for the form guard. */
export const connectionForms = { save: 'save', disconnect: 'disconnect', connect: 'connect', test: 'test' } as const;
