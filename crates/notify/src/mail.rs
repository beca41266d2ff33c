//! The email channel: plain text through the org's SMTP server, with the configured transport security.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    pin::Pin,
    task::{Context, Poll},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use domain::{
    Timestamp,
    channel::{Email, MailSecurity},
};
use lettre::{
    Message,
    message::{
        Mailbox,
        header::{ContentType, HeaderName, HeaderValue},
    },
    transport::smtp::{
        Error,
        authentication::{Credentials, DEFAULT_MECHANISMS},
        client::{AsyncSmtpConnection, AsyncTokioStream, Certificate, CertificateStore, TlsParameters},
        extension::ClientId,
    },
};
use rustls::pki_types::ServerName;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
};
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::{
    Notice, Sender,
    failure::{Failure, cause, response_line},
    notice::{fingerprint, one_line},
};

/// Longest subject, in characters: mail programs show no more.
const SUBJECT_LENGTH_MAX: usize = 200;
/// Bytes read from a server in one session. The SMTP library reads a line to its end, however long it is.
const RESPONSE_BYTES_MAX: usize = 256 * 1024;

/// Sends a notification as an email.
pub(crate) async fn send(sender: &Sender, email: &Email, notice: &Notice, text: &str) -> Result<String, Failure> {
    let message = message(email, notice, text, (sender.clock)())?;
    let host = email.host.trim_start_matches('[').trim_end_matches(']');
    let hello = ClientId::Domain(domain_of(&email.from).to_owned());
    let failed = |error: Error| {
        let text = format!("the mail server `{host}` rejected the email: {}", one_line(&error.to_string(), 300));
        // Missing STARTTLS or authentication on the server is a client error: a retry cannot help.
        if error.is_permanent() || error.is_client() { Failure::permanent(text) } else { Failure::temporary(text) }
    };
    let mut connection = Box::pin(connect(sender, email, host, &hello)).await?;
    if email.security == MailSecurity::Starttls {
        let tls = parameters(sender, host).map_err(failed)?;
        connection.starttls(tls, &hello).await.map_err(failed)?;
    }
    if let (Some(username), Some(password)) = (&email.username, &email.password) {
        let credentials = Credentials::new(username.clone(), password.reveal().to_owned());
        connection.auth(DEFAULT_MECHANISMS, &credentials).await.map_err(failed)?;
    }
    let response = connection.send(message.envelope(), &message.formatted()).await.map_err(failed)?;
    // The mail is accepted; an error while closing the session does not change that.
    let _ = connection.quit().await;
    Ok(response_line(format!("{} {}", response.code(), response.message().collect::<Vec<_>>().join(" ")).as_bytes()))
}

/// Connects to the server, only to the checked addresses of its host.
async fn connect(sender: &Sender, email: &Email, host: &str, hello: &ClientId) -> Result<AsyncSmtpConnection, Failure> {
    let unreachable = |why: String| Failure::temporary(format!("cannot reach the mail server `{host}`: {why}"));
    let addresses = sender
        .guard
        .resolve(host, email.port)
        .await
        .map_err(|refused| Failure { is_final: refused.is_final(), ..Failure::temporary(refused.to_string()) })?;
    let stream = TcpStream::connect(addresses.as_slice()).await.map_err(|error| unreachable(error.to_string()))?;
    let peer = stream.peer_addr().map_err(|error| unreachable(error.to_string()))?;
    let stream = Limited { stream, peer, left: RESPONSE_BYTES_MAX };
    let stream: Box<dyn AsyncTokioStream> = if email.security == MailSecurity::Tls {
        let name = match host.parse::<IpAddr>() {
            Ok(ip) => ServerName::from(ip),
            Err(_) => ServerName::try_from(host.to_owned()).map_err(|error| unreachable(error.to_string()))?,
        };
        let stream = TlsConnector::from(sender.tls.clone()).connect(name, stream).await;
        let stream = stream.map_err(|error| unreachable(cause(&error)))?;
        Box::new(Sealed { stream, peer })
    } else {
        Box::new(stream)
    };
    let greeted = AsyncSmtpConnection::connect_with_transport(stream, hello).await;
    greeted.map_err(|error| unreachable(one_line(&error.to_string(), 300)))
}

fn parameters(sender: &Sender, host: &str) -> Result<TlsParameters, Error> {
    let mut parameters = TlsParameters::builder(host.to_owned()).certificate_store(CertificateStore::None);
    for root in &sender.roots {
        parameters = parameters.add_root_certificate(Certificate::from_der(root.to_vec())?);
    }
    parameters.build_rustls()
}

fn message(email: &Email, notice: &Notice, text: &str, now: Timestamp) -> Result<Message, Failure> {
    let mailbox = |text: &str| {
        let refuse = |_| Failure::permanent(format!("`{}` is not an email address", one_line(text, 80)));
        text.parse::<Mailbox>().map_err(refuse)
    };
    let domain = domain_of(&email.from);
    // No mail with this id exists, but mail programs group all mails that refer to it.
    let thread = format!("<alert-{}@{domain}>", notice.thread());
    let mut builder = Message::builder()
        .from(mailbox(&email.from)?)
        .subject(one_line(&notice.title, SUBJECT_LENGTH_MAX))
        .date(moment(now))
        .message_id(Some(format!("<notice-{}@{domain}>", fingerprint(&[&notice.org, &notice.id]))))
        .references(thread.clone())
        .in_reply_to(thread)
        // Suppresses out-of-office replies.
        .raw_header(plain("Auto-Submitted", "auto-generated".to_owned()))
        .raw_header(plain("X-Hostler-Alert", one_line(&format!("{} {}", notice.kind, notice.state), 80)))
        .header(ContentType::TEXT_PLAIN);
    for to in &email.to {
        builder = builder.to(mailbox(to)?);
    }
    let body = match &notice.url {
        Some(url) if !text.contains(url.as_str()) => format!("{text}\n\n{}", one_line(url, 2_048)),
        _ => text.to_owned(),
    };
    builder.body(body).map_err(|error| Failure::permanent(format!("cannot create the email: {error}")))
}

fn plain(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

fn moment(at: Timestamp) -> SystemTime {
    UNIX_EPOCH + Duration::from_micros(at.as_micros().try_into().unwrap_or_default())
}

/// The domain in `Name <a@b.example>`. The channel was validated before.
fn domain_of(mailbox: &str) -> &str {
    mailbox.rsplit_once('@').map_or("localhost", |(_, domain)| domain.trim_end_matches('>'))
}

/// A connection from which at most `left` bytes are read.
#[derive(Debug)]
struct Limited {
    stream: TcpStream,
    peer: SocketAddr,
    left: usize,
}

impl AsyncRead for Limited {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.left == 0 {
            return Poll::Ready(Err(io::Error::other("the server sent too much data")));
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, buffer);
        self.left = self.left.saturating_sub(buffer.filled().len() - before);
        read
    }
}

impl AsyncWrite for Limited {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for Limited {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

/// A limited connection with TLS.
#[derive(Debug)]
struct Sealed {
    stream: TlsStream<Limited>,
    peer: SocketAddr,
}

impl AsyncRead for Sealed {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl AsyncWrite for Sealed {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

impl AsyncTokioStream for Sealed {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notice::sample;

    #[test]
    fn line_breaks_in_a_notice_add_no_headers() {
        let email = Email {
            host: "smtp.example.org".to_owned(),
            port: 25,
            security: MailSecurity::None,
            username: None,
            password: None,
            from: "Hostler <alerts@example.org>".to_owned(),
            to: vec!["Jörg <ann@example.org>".to_owned()],
        };
        let evil = "x\r\nBcc: evil@example.org\r\n\r\nbody";
        let notice = Notice {
            id: evil.to_owned(),
            org: evil.to_owned(),
            kind: evil.to_owned(),
            title: evil.to_owned(),
            subject: evil.to_owned(),
            ..sample()
        };
        let message = message(&email, &notice, "text\r\n.\r\nQUIT", Timestamp::from_micros(0)).expect("a mail");
        let formatted = String::from_utf8(message.formatted()).expect("ASCII");
        let (head, _) = formatted.split_once("\r\n\r\n").expect("head and body");
        for line in head.lines() {
            assert!(!line.starts_with("Bcc") && !line.starts_with("evil"), "{head}");
        }
        assert_eq!(message.envelope().to().len(), 1);
        assert!(formatted.is_ascii() && head.contains("Date: Thu, 01 Jan 1970"), "{formatted}");
    }
}
