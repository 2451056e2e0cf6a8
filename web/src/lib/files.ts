/** Files for people: saved, or handed on where the device can share. */
export function saveFile(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function shareFile(name: string, content: Blob, title: string): Promise<void> {
  const file = new File([content], name, { type: content.type });
  if (matchMedia("(pointer: coarse)").matches && navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title });
      return;
    } catch (error) {
      if ((error as Error).name === "AbortError") return;
    }
  }
  saveFile(name, content);
}
