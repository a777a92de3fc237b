package io.perdure.server.http;

import io.helidon.http.Header;
import io.helidon.http.Headers;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Headers that reverse proxies, load balancers and content delivery networks add to a request that they pass on. A request with one of them comes from
 * behind a proxy, wherever the proxy runs.
 *
 * <p>A proxy that adds none of them cannot be recognized: {@code proxy_pass} of nginx without any {@code proxy_set_header} is one.
 */
final class ProxyHeaders {
    /** In lower case; each stands for all headers that begin so. */
    private static final List<String> PREFIXES = List.of(
            // For, Host, Proto, Port, Server, Prefix, Client-Cert, Tls-Client-Cert …: Traefik, Caddy, HAProxy, Apache,
            // Kubernetes ingresses, Azure.
            "x-forwarded-",
            // For, Host, URI, URL, Method, Forwarded-For: ingress-nginx, Azure, forward-auth of Traefik.
            "x-original-",
            // External-Address, Original-Path, Internal …: Envoy, Istio.
            "x-envoy-",
            // Connecting-IP, Connecting-IPv6, Ray, Visitor, IPCountry …: Cloudflare.
            "cf-",
            // Viewer headers and Id of CloudFront.
            "cloudfront-",
            "x-amz-cf-",
            // Trace-Id, TLS-Version, TLS-Cipher-Suite, Mtls-Clientcert …: Application Load Balancer, API Gateway.
            "x-amzn-",
            // Client-IP, SSL, FF …: Fastly.
            "fastly-",
            // ClientIP, SocketIP, Ref, FDID: Azure Front Door.
            "x-azure-",
            // User-IP, Https, Country …: App Engine.
            "x-appengine-",
            // LOG-ID, SSL, ClientCert: Application Request Routing of IIS.
            "x-arr-");

    /** In lower case. */
    private static final Set<String> NAMES = Set.of(
            // Standards: RFC 7239, RFC 9110, RFC 8586, RFC 9440, RFC 9211 and Edge-Control's Surrogate-Capability.
            "forwarded",
            "via",
            "cdn-loop",
            "client-cert",
            "surrogate-capability",
            // Without a suffix, as some proxies write it.
            "x-forwarded",
            "forwarded-for",
            "x-forwarder-for",
            // The address of the client: nginx, HAProxy, Apache, Squid, Rackspace, Zeus, Akamai, Fly, DigitalOcean,
            // WebLogic.
            "x-real-ip",
            "x-real-port",
            "x-client-ip",
            "x-cluster-client-ip",
            "x-proxyuser-ip",
            "x-remote-ip",
            "x-remote-addr",
            "x-originating-ip",
            "true-client-ip",
            "client-ip",
            "fly-client-ip",
            "do-connecting-ip",
            "proxy-client-ip",
            "wl-proxy-client-ip",
            // The address that the client asked for: ingress-nginx, IIS, old load balancers.
            "x-scheme",
            "x-host",
            "x-rewrite-url",
            "x-url-scheme",
            "front-end-https",
            // Others: load balancers of Google Cloud, Varnish, the AWS load balancer of old, platforms that time their
            // queue.
            "x-cloud-trace-context",
            "x-varnish",
            "x-proxy-id",
            "x-nginx-proxy");

    private ProxyHeaders() {}

    /** Returns the name of a header that a proxy has added, if there is one. */
    static Optional<String> find(Headers headers) {
        for (Header header : headers) {
            if (isOfProxy(header.headerName().lowerCase())) {
                return Optional.of(header.name());
            }
        }
        return Optional.empty();
    }

    private static boolean isOfProxy(String name) {
        return NAMES.contains(name) || PREFIXES.stream().anyMatch(name::startsWith);
    }
}
