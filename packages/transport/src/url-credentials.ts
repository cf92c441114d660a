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
  const pair = `${decoded(username)}:${decoded(password)}`
  const bytes = String.fromCharCode(...new TextEncoder().encode(pair))
  return { authorization: `Basic ${btoa(bytes)}` }
}

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    // A bare % stands for itself.
    return text
  }
}
