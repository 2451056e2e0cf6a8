/** Save a file on this device. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const asFile = (name: string, content: Blob): File =>
  new File([content], name, { type: content.type });

/** Whether this device shares such a file; on a desk it is saved. */
export const canShareFile = (name: string, content: Blob): boolean =>
  matchMedia("(pointer: coarse)").matches &&
  !!navigator.canShare?.({ files: [asFile(name, content)] });

/** Share a file where the device can, otherwise save it; rejects if sharing fails. */
export async function shareFile(name: string, content: Blob, title: string): Promise<void> {
  if (!canShareFile(name, content)) {
    saveFile(name, content);
    return;
  }
  try {
    await navigator.share({ files: [asFile(name, content)], title });
  } catch (error) {
    if ((error as Error).name !== "AbortError") throw error;
  }
}
