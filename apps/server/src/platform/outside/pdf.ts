/**
 * Opens a PDF without fonts. The library and its font engine take some 30 MB of memory, so they are loaded with the
 * first document instead of with the server.
 */
export async function newPdf(options: PDFKit.PDFDocumentOptions): Promise<PDFKit.PDFDocument> {
  const { default: PDFDocument } = await import('pdfkit');
  // The built-in Helvetica is never used, and loading it costs more than a page.
  return new PDFDocument({ margin: 0, ...options, font: null as never });
}

/** Ends the document and returns its bytes. */
export function endPdf(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    document.on('data', (chunk: Buffer) => chunks.push(chunk));
    document.on('end', () => resolve(Buffer.concat(chunks)));
    document.on('error', reject);
    document.end();
  });
}
