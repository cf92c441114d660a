export { tcpSocket, unixSocket, type SocketOptions, type TcpAddress } from "./socket.js"
