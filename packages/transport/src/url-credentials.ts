/**
 * Takes user, password and fragment out of a URL: it is shown in too many places. What was found comes
 * back as a header.
 */
export const takeCredentials = (endpoint: URL): Readonly<Record<string, string>> => {
  const { username, password } = endpoint
  endpoint.username = ""
  endpoint.password = ""
  endpoint.hash = ""
  if (username === "" && password === "") return {}
  return { authorization: basicCredentials(username, password) }
}

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
