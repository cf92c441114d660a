/** The header value for the credentials of a URL, which are percent-encoded there. */
export const basicCredentials = (username: string, password: string): string => {
  const bytes = new TextEncoder().encode(`${decoded(username)}:${decoded(password)}`)
  return `Basic ${btoa(String.fromCharCode(...bytes))}`
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A bare % stands for itself.
    return text
  }
}
