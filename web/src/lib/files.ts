/** Save a file on this device. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Share a file where the device can, otherwise save it; rejects if sharing fails. */
export async function shareFile(name: string, content: Blob, title: string): Promise<void> {
  const file = new File([content], name, { type: content.type });
  if (!matchMedia("(pointer: coarse)").matches || !navigator.canShare?.({ files: [file] })) {
    saveFile(name, content);
    return;
  }
  try {
    await navigator.share({ files: [file], title });
  } catch (error) {
    if ((error as Error).name !== "AbortError") throw error;
  }
}
