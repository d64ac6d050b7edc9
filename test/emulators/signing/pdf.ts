/** A PDF on its way: how many bytes it has, and the bytes. */
export type Pdf = Readonly<{ size: number; bytes: AsyncIterable<Uint8Array> }>;

const chunkBytes = 64 * 1024;

/**
 * A PDF of one page that shows a line of text (ISO 32000-1 §7.5). A stream object that no page refers to fills it up to
 * at least `minBytes`; the bytes are made while they are read, so that any size takes little memory.
 */
export function pdfOf(text: string, minBytes = 0): Pdf {
  const shown = `BT /F1 18 Tf 72 720 Td (${escaped(text)}) Tj ET`;
  const fill = Math.max(0, minBytes - 1_000);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${shown.length} >>\nstream\n${shown}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  const header = '%PDF-1.4\n%\u00e2\u00e3\u00cf\u00d3\n';
  const written = objects.map((body, index) => `${index + 1} 0 obj\n${body}\nendobj\n`);
  const fillHead = `6 0 obj\n<< /Length ${fill} >>\nstream\n`;
  const fillTail = '\nendstream\nendobj\n';
  const offsets = [...written, ''].map((_, index) => header.length + written.slice(0, index).join('').length);
  const start = (offsets[5] ?? 0) + fillHead.length + fill + fillTail.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const trailer = `xref\n0 7\n0000000000 65535 f \n${entries}trailer\n<< /Size 7 /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  const head = Buffer.from(`${header}${written.join('')}${fillHead}`, 'latin1');
  const tail = Buffer.from(`${fillTail}${trailer}`, 'latin1');
  return { size: head.byteLength + fill + tail.byteLength, bytes: inChunks(head, fill, tail) };
}

async function* inChunks(head: Uint8Array, fill: number, tail: Uint8Array): AsyncGenerator<Uint8Array> {
  yield head;
  const chunk = Buffer.alloc(chunkBytes, ' ');
  for (let left = fill; left > 0; left -= chunkBytes) yield left < chunkBytes ? chunk.subarray(0, left) : chunk;
  yield tail;
}

/** A text inside a PDF string: ASCII only, its delimiters escaped. */
function escaped(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '?').replaceAll(/[\\()]/g, '\\$&');
}
