/** Helpers for pictures made of SVG text. */
export const FONT = 'ui-rounded, "Segoe UI", system-ui, "Noto Sans", "DejaVu Sans", sans-serif';

export const escapeXml = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** Load SVG text as an image. */
export async function svgImage(svg: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}

/** Draw SVG text as a PNG. */
export async function svgToPng(svg: string, width: number, height: number): Promise<Blob> {
  const image = await svgImage(svg);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}
