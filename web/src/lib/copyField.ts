/** Copy the text of a field; resolves to whether it was copied. Over plain http there is no clipboard API. */
export async function copyField(field: HTMLInputElement | undefined): Promise<boolean> {
  field?.select();
  try {
    if (navigator.clipboard) await navigator.clipboard.writeText(field?.value ?? "");
    else document.execCommand("copy");
    return true;
  } catch {
    return false;
  }
}
