/** A small file as a tool's caller gives it. */
export const fileContent = (name: string) => ({
  name,
  content_base64: Buffer.from('%PDF-1.7 small').toString('base64'),
  media_type: 'application/pdf',
});
